-- Sessions keep the version that their client says it has; those before now have none.
ALTER TABLE usage_sessions ADD COLUMN version TEXT NOT NULL DEFAULT '';
