-- The tools that there were for sessions, each set once, as with SQLite.
CREATE TABLE usage_catalogs (
	id    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	tools TEXT NOT NULL
);
ALTER TABLE usage_sessions ADD COLUMN catalog TEXT COLLATE "C" NOT NULL DEFAULT '';
