-- The tools that there were for sessions. Many sessions have the same ones, so that each set is kept once.
CREATE TABLE usage_catalogs (
	id    TEXT NOT NULL PRIMARY KEY, -- a digest of the names
	tools TEXT NOT NULL -- a JSON array of "server/tool", sorted
) STRICT, WITHOUT ROWID;
ALTER TABLE usage_sessions ADD COLUMN catalog TEXT NOT NULL DEFAULT ''; -- of usage_catalogs; empty for sessions before now
