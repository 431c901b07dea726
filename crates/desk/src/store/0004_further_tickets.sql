-- Of those who asked the same while a dialog was open.
CREATE TABLE tickets (
    ticket TEXT NOT NULL PRIMARY KEY,
    dialog TEXT NOT NULL REFERENCES dialogs
) STRICT;

CREATE INDEX tickets_of_dialog ON tickets (dialog);

-- Nobody gave these.
UPDATE dialogs SET through = NULL WHERE ended_as IN ('timed_out', 'withdrawn');
