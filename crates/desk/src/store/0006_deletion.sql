-- What has ended can be deleted: as a whole, and only then its events.
DROP TRIGGER events_stay;
CREATE TRIGGER events_stay BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM dialogs WHERE ticket = OLD.ticket)
BEGIN SELECT RAISE(ABORT, 'events go only with their dialog'); END;

CREATE TRIGGER open_dialogs_stay BEFORE DELETE ON dialogs WHEN OLD.ended_at IS NULL
BEGIN SELECT RAISE(ABORT, 'open dialogs stay'); END;
CREATE TRIGGER dialogs_go_as_a_whole AFTER DELETE ON dialogs
BEGIN
    DELETE FROM events WHERE ticket = OLD.ticket;
    DELETE FROM tickets WHERE dialog = OLD.ticket;
END;
