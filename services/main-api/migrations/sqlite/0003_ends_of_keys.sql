ALTER TABLE `api_keys` ADD `previous_until` integer;--> statement-breakpoint
CREATE INDEX `handovers_pending` ON `handovers` (`due_at`) WHERE "handovers"."status" = 'pending';