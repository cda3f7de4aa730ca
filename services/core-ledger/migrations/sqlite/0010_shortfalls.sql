CREATE TABLE `shortfalls` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`asset_id` text NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
);
