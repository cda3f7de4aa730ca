CREATE TABLE `ended_values` (
	`id` text PRIMARY KEY NOT NULL,
	`asset_code` text collate nocase NOT NULL,
	`value` real NOT NULL,
	`ended_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_values_code` ON `ended_values` (`asset_code`,`ended_at`);--> statement-breakpoint
CREATE INDEX `rates_code` ON `rates` (lower("asset_code"),`timestamp`,`rate`);