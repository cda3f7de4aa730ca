CREATE TABLE `held_institutions` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participants_deleted_at` ON `participants` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `pfis` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pfis_status` ON `pfis` (`status`);--> statement-breakpoint
ALTER TABLE `authorised_executions` ADD `tx_hash` text;--> statement-breakpoint
CREATE INDEX `movements_listed` ON `movements` (`account_id`,`confirmed_at`,`id`);