-- What people said of tools: relevant, or not. It is kept until they take it back.
CREATE TABLE usage_marks (
	profile  TEXT    NOT NULL,
	client   TEXT    NOT NULL, -- a keyed digest or a name, as of usage_sessions; empty for all clients
	tool     TEXT    NOT NULL, -- "server/tool"
	relevant INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	PRIMARY KEY (profile, client, tool)
) STRICT, WITHOUT ROWID;
