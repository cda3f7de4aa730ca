CREATE TABLE `former_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`valid_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `former_keys_participant` ON `former_keys` (`participant_id`);--> statement-breakpoint
CREATE INDEX `former_keys_valid_until` ON `former_keys` (`valid_until`);--> statement-breakpoint
ALTER TABLE `participants` ADD `key_valid_until` integer;