"""Run by Alembic, on the connection that `pagesight.watch.store.opening` has opened and locked."""

from alembic import context

from pagesight.portal.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=context.config.attributes["version_table"],
    render_as_batch=True,
)
context.run_migrations()
