-- Calls are counted for each profile: what one calls often ranks no tool of another. Those before now are of none.
ALTER TABLE uses RENAME TO uses_before;
CREATE TABLE uses (
	profile TEXT    NOT NULL,
	server  TEXT    NOT NULL,
	tool    TEXT    NOT NULL,
	count   INTEGER NOT NULL,
	failed  INTEGER NOT NULL,
	last    INTEGER NOT NULL, -- Unix milliseconds
	PRIMARY KEY (profile, server, tool)
) STRICT, WITHOUT ROWID;
INSERT INTO uses SELECT '', server, tool, count, failed, last FROM uses_before;
DROP TABLE uses_before;
-- The newest sessions, and the calls of one tool, without all others.
CREATE INDEX usage_sessions_started ON usage_sessions (started, id);
CREATE INDEX usage_calls_tool ON usage_calls (server, tool, session);
