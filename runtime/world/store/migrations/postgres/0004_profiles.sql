-- Calls are counted for each profile; what that is for is said with SQLite's.
ALTER TABLE uses ADD COLUMN profile TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE uses DROP CONSTRAINT uses_pkey;
ALTER TABLE uses ADD PRIMARY KEY (profile, server, tool);
CREATE INDEX usage_sessions_started ON usage_sessions (started, id);
CREATE INDEX usage_calls_tool ON usage_calls (server, tool, session);
