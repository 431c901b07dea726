-- Until when the person does not want to be disturbed.
CREATE TABLE quiet (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    until INTEGER NOT NULL
) STRICT;
