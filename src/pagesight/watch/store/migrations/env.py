"""Run by Alembic, on the connection that `opening` has opened and locked."""

from alembic import context

from pagesight.watch.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
