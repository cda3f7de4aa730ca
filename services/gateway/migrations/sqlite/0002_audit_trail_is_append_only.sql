CREATE TRIGGER `audit_trail_refuses_update` BEFORE UPDATE ON `audit_trail`
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_trail_refuses_delete` BEFORE DELETE ON `audit_trail`
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;--> statement-breakpoint
-- INSERT OR REPLACE would delete without a word.
CREATE TRIGGER `audit_trail_refuses_replace` BEFORE INSERT ON `audit_trail`
WHEN NEW.`number` <= (SELECT max(`number`) FROM `audit_trail`)
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;
