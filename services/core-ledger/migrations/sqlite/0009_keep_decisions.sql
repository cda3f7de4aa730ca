-- What people have decided stays as it was said.
CREATE TRIGGER `decisions_stay` BEFORE UPDATE ON `decisions` BEGIN SELECT RAISE(ABORT, 'a decision is not changed'); END;
--> statement-breakpoint
CREATE TRIGGER `decisions_last` BEFORE DELETE ON `decisions` BEGIN SELECT RAISE(ABORT, 'a decision is not deleted'); END;
