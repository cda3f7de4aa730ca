CREATE TABLE `asset_terms` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`asset_id` text NOT NULL,
	`code` text NOT NULL,
	`decimals` integer NOT NULL,
	`network` text NOT NULL,
	`contract_address` text,
	`deleted_at` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `asset_terms_asset` ON `asset_terms` (`asset_id`,`seq`);--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `decisions` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `last_decision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `decisions_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `assets` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `last_asset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `assets_hash` text DEFAULT '' NOT NULL;