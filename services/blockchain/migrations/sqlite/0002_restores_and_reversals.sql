CREATE TABLE `restored_sends` (
	`send_id` text PRIMARY KEY NOT NULL,
	`restored_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `transfers` ADD `reversed_at` integer;