CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`alive_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`fence` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `outbox` ADD `instance` text DEFAULT '' NOT NULL;