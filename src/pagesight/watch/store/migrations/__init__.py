"""The schema of the database, step by step; `opening` applies what is missing."""
