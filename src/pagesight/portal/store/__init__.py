"""The database of the portal: people, boards, and work to do, beside what is watched."""
