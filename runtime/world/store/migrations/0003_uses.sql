-- How often each tool was called. A hint for ranking: no call depends on it.
CREATE TABLE uses (
	server TEXT    NOT NULL,
	tool   TEXT    NOT NULL,
	count  INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	last   INTEGER NOT NULL, -- Unix milliseconds
	PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;
