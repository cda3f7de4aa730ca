DROP INDEX `mails_due`;--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`) WHERE "mails"."due_at" is not null;--> statement-breakpoint
ALTER TABLE `mails` DROP COLUMN `leased_by`;