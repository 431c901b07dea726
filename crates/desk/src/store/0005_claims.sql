-- What a further ticket's reply is written with; as the dialog's own where there is none. When its
-- caller has taken the question back while others had not; the dialog's own ticket has a row then, too.
ALTER TABLE tickets ADD COLUMN claim TEXT;
ALTER TABLE tickets ADD COLUMN withdrawn_at INTEGER;

-- Keys say of which kind they are. Those of callers on other machines had the owner before a blank.
UPDATE dialogs SET key = CASE
    WHEN length(key) = 64 AND key NOT GLOB '*[^0-9a-f]*' THEN 'made:' || key
    WHEN substr(key, 65, 1) = ' ' AND substr(key, 1, 64) NOT GLOB '*[^0-9a-f]*'
        AND CASE WHEN json_valid(dialog) THEN dialog ->> '$.caller.host' END IS NOT NULL
    THEN 'remote:' || substr(key, 1, 64) || CASE
        WHEN length(key) = 129 AND substr(key, 66) NOT GLOB '*[^0-9a-f]*' THEN ':made:'
        ELSE ':given:'
    END || substr(key, 66)
    ELSE 'given:' || key
END;
