-- Approvals of upstream tools. One b-tree (WITHOUT ROWID): damage to an index could hide a row in silence. sum is a
-- CRC-32 over the other columns, since a changed byte of text breaks no b-tree.
CREATE TABLE pins (
	server       TEXT    NOT NULL,
	tool         TEXT    NOT NULL,
	hash         TEXT    NOT NULL,
	state        TEXT    NOT NULL,
	seen         INTEGER NOT NULL, -- Unix milliseconds; 0 is never
	decided      INTEGER NOT NULL,
	definition   BLOB    NOT NULL,
	offered      BLOB    NOT NULL,
	offered_hash TEXT    NOT NULL,
	sum          INTEGER NOT NULL,
	PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;
