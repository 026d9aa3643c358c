-- What documents say they are about. Those that were read before are read anew by the next run of the indexer.
ALTER TABLE library_contents ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE library_documents ADD COLUMN tags TEXT NOT NULL DEFAULT '';
