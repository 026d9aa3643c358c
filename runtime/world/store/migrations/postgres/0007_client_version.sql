-- Sessions keep the version that their client says it has, as with SQLite.
ALTER TABLE usage_sessions ADD COLUMN version TEXT NOT NULL DEFAULT '';
