-- The index of a collection is kept as segments, which do not change: a reader needs those that are live, and what no
-- document has of them is left aside. The space is what was learnt of all of them at some time; vectors are of it. An
-- index of before is made again.
DROP TABLE library_index;
ALTER TABLE library_documents DROP COLUMN first;
CREATE TABLE library_segments (
	name     TEXT    NOT NULL PRIMARY KEY, -- of what is in it
	groups   BLOB    NOT NULL,
	passages INTEGER NOT NULL,
	live     INTEGER NOT NULL, -- passages that the version has; 0 while no version has the segment
	bytes    INTEGER NOT NULL,
	space    TEXT    NOT NULL, -- that its vectors are of; '' for none
	made     INTEGER NOT NULL  -- Unix milliseconds
) STRICT;
CREATE TABLE library_parts (
	segment TEXT    NOT NULL, -- '' for the space
	part    TEXT    NOT NULL,
	piece   INTEGER NOT NULL,
	data    BLOB    NOT NULL,
	PRIMARY KEY (segment, part, piece)
) STRICT;
CREATE TABLE library_space (
	one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
	name     TEXT    NOT NULL,
	passages INTEGER NOT NULL, -- that it was learnt of
	changed  INTEGER NOT NULL, -- passages that came or went since
	learnt   INTEGER NOT NULL  -- Unix milliseconds
) STRICT;
