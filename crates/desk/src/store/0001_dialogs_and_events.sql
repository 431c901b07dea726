-- Released migrations are never changed; a new one is added beside them.

-- The long texts come last, so that looking through many rows leaves them unread.
CREATE TABLE dialogs (
    ticket TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT,
    asked_at INTEGER NOT NULL,
    shown_at INTEGER,
    ended_at INTEGER,
    -- The name of the outcome, and what it was given through.
    ended_as TEXT,
    through TEXT,
    delivered_at INTEGER,
    -- What history looks through, in lower case.
    search TEXT NOT NULL,
    draft TEXT,
    outcome TEXT,
    dialog TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX one_pending_per_key ON dialogs (key) WHERE ended_at IS NULL;
CREATE INDEX pending ON dialogs (asked_at) WHERE ended_at IS NULL;
CREATE INDEX ended ON dialogs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX undelivered ON dialogs (key, ended_at)
    WHERE ended_as = 'answered' AND delivered_at IS NULL;
CREATE INDEX asked ON dialogs (asked_at);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    ticket TEXT NOT NULL REFERENCES dialogs,
    what TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX events_of_dialog ON events (ticket);

CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END;
CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END;
