"""Many pages: from web archives, tables and folders, in shards that are written once each."""
