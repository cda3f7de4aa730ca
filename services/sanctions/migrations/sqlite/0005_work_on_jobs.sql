DROP INDEX `jobs_due_at`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `leased_until` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `last_error` text;--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null;