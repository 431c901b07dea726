-- Once it is released, a migration is never changed; a new one is added beside it.

-- The long texts come last, so that looking through many rows leaves them unread.
CREATE TABLE dialogs (
    ticket TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL,
    -- The format of draft, outcome and dialog, which are JSON.
    format INTEGER NOT NULL,
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
    -- A hash of the ticket and the outcome.
    outcome_sum TEXT,
    dialog TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX one_pending_per_key ON dialogs (key) WHERE ended_at IS NULL;
CREATE INDEX pending ON dialogs (asked_at) WHERE ended_at IS NULL;
CREATE INDEX ended ON dialogs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX undelivered ON dialogs (key, ended_at)
    WHERE ended_as = 'answered' AND delivered_at IS NULL;
CREATE INDEX asked ON dialogs (asked_at);
CREATE INDEX formats ON dialogs (format);

-- An ended dialog can be deleted, with everything that belongs to it.
CREATE TRIGGER open_dialogs_stay BEFORE DELETE ON dialogs WHEN OLD.ended_at IS NULL
BEGIN SELECT RAISE(ABORT, 'open dialogs stay'); END;
CREATE TRIGGER dialogs_go_as_a_whole AFTER DELETE ON dialogs
BEGIN
    DELETE FROM events WHERE ticket = OLD.ticket;
    DELETE FROM tickets WHERE dialog = OLD.ticket;
END;

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
WHEN EXISTS (SELECT 1 FROM dialogs WHERE ticket = OLD.ticket)
BEGIN SELECT RAISE(ABORT, 'events go only with their dialog'); END;

-- The tickets of those who asked the same as a dialog that was there already. The dialog's own ticket
-- has a row, too, if its caller has taken the question back while others had not.
CREATE TABLE tickets (
    ticket TEXT NOT NULL PRIMARY KEY,
    dialog TEXT NOT NULL REFERENCES dialogs,
    -- What the caller's reply is written with, as JSON in this format.
    format INTEGER NOT NULL,
    claim TEXT NOT NULL,
    withdrawn_at INTEGER
) STRICT;

CREATE INDEX tickets_of_dialog ON tickets (dialog);

-- Until when the person does not want to be disturbed.
CREATE TABLE quiet (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    until INTEGER NOT NULL
) STRICT;
