-- Of the ticket and the outcome. Outcomes from before have none.
ALTER TABLE dialogs ADD COLUMN outcome_sum TEXT;
