-- Rows as the newest version has written them. A change to what is stored must still read these.
-- A migration gets rows of its own beside them; these stay as they are.

INSERT INTO dialogs (ticket, key, agent, project, asked_at, shown_at, ended_at, ended_as, through, delivered_at, search, draft, outcome, dialog, outcome_sum) VALUES
    ('pending',
     'key',
     'Tester',
     '/srv/shop',
     1,
     2,
     NULL,
     NULL,
     NULL,
     NULL,
     'tester
a title
which one?
which ones?
in your words?
sure?
how many?
on?
what?
token?',
     '{"step":2,"drafts":[{"chosen":[],"other_chosen":true,"other":"Green","text":"","note":"Noted","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"Typed","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"3","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"{\n  \"a\": 1\n}","note":"","note_open":false,"tried":false},{"chosen":[],"other_chosen":false,"other":"","text":"","note":"","note_open":false,"tried":false}],"asides":{"decline":"No","clarify":"Why?"},"spent":{"secs":120,"nanos":0}}',
     NULL,
     '{"id":"pending","dialect":"askdeck","caller":{"agent":"Tester","session":"s","cwd":"/srv/shop","host":"build","pid":7,"program":"tester"},"title":"A title","message":"A message","questions":[{"id":"one","header":"One","text":"Which one?","details":"Details","kind":{"type":"single","options":[{"label":"Red (Recommended)","description":"A colour","preview":"red","value":1,"recommended":true},{"label":"Blue","description":null,"preview":null,"recommended":false}],"other":true,"default":1},"required":true,"notes":true,"schema":null},{"id":"some","header":null,"text":"Which ones?","details":null,"kind":{"type":"multi","options":[{"label":"Red","description":null,"preview":null,"recommended":false},{"label":"Blue","description":null,"preview":null,"recommended":false}],"other":false,"default":null},"required":false,"notes":true,"schema":null},{"id":"text","header":null,"text":"In your words?","details":null,"kind":{"type":"text","multiline":true,"placeholder":"Words","default":"Some"},"required":true,"notes":true,"schema":null},{"id":"sure","header":null,"text":"Sure?","details":null,"kind":{"type":"confirm","yes":"Go","no":"Stop","default":false},"required":true,"notes":true,"schema":null},{"id":"number","header":null,"text":"How many?","details":null,"kind":{"type":"number","integer":true,"default":3},"required":true,"notes":true,"schema":{"type":"integer","minimum":1}},{"id":"on","header":null,"text":"On?","details":null,"kind":{"type":"boolean","default":true},"required":true,"notes":true,"schema":null},{"id":"json","header":null,"text":"What?","details":null,"kind":{"type":"json","default":{"a":1}},"required":true,"notes":true,"schema":null},{"id":"token","header":null,"text":"Token?","details":null,"kind":{"type":"secret"},"required":true,"notes":false,"schema":null}],"timeout":{"secs":600,"nanos":0},"form":null,"metadata":null}',
     NULL);
INSERT INTO dialogs (ticket, key, agent, project, asked_at, shown_at, ended_at, ended_as, through, delivered_at, search, draft, outcome, dialog, outcome_sum) VALUES
    ('ended',
     'other',
     'test',
     NULL,
     3,
     NULL,
     4,
     'answered',
     'window',
     5,
     'test
which?
blue
noted',
     NULL,
     '{"outcome":"answered","answers":[{"selected":[1],"note":"Noted"}]}',
     '{"id":"ended","dialect":"askdeck","caller":{"agent":"test","session":null,"cwd":null,"host":null,"pid":null,"program":null},"title":null,"message":null,"questions":[{"id":"question-0","header":null,"text":"Which?","details":null,"kind":{"type":"single","options":[{"label":"Red","description":null,"preview":null,"recommended":false},{"label":"Blue","description":null,"preview":null,"recommended":false}],"other":true,"default":null},"required":true,"notes":true,"schema":null}],"timeout":null,"form":null,"metadata":null}',
     '1e5e42158b7cd776cbd4a1e5704cced573327f4678bdb985e3d44470da1a6857');
INSERT INTO events (id, ticket, what, at) VALUES (1, 'pending', 'asked', 1);
INSERT INTO events (id, ticket, what, at) VALUES (2, 'pending', 'submitted', 1);
INSERT INTO events (id, ticket, what, at) VALUES (3, 'pending', 'shown', 2);
INSERT INTO events (id, ticket, what, at) VALUES (4, 'ended', 'asked', 3);
INSERT INTO events (id, ticket, what, at) VALUES (5, 'ended', 'answered', 4);
INSERT INTO events (id, ticket, what, at) VALUES (6, 'ended', 'delivered', 5);
INSERT INTO quiet (only, until) VALUES (1, 6);
INSERT INTO tickets (ticket, dialog) VALUES ('further', 'pending');
