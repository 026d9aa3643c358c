-- What a server listed last, so that its tools are known before it is started. key is a hash of the server's
-- specification: under another one the row is stale. body is gzip, which checks itself.
CREATE TABLE catalogs (
	server  TEXT    NOT NULL,
	key     TEXT    NOT NULL,
	fetched INTEGER NOT NULL, -- Unix milliseconds
	body    BLOB    NOT NULL,
	PRIMARY KEY (server)
) STRICT, WITHOUT ROWID;
