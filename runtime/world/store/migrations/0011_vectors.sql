-- The vectors of the passages of a content, of one tier: an endpoint's model or a table of words. They are kept apart
-- from the version, so that a run that is cut off has not made them in vain.
CREATE TABLE library_vectors (
	tier    TEXT    NOT NULL,
	content TEXT    NOT NULL, -- hash of library_contents
	rows    INTEGER NOT NULL,
	dims    INTEGER NOT NULL,
	data    BLOB    NOT NULL,
	PRIMARY KEY (tier, content)
) STRICT;
