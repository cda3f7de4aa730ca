CREATE TABLE `customer_owners` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `chain_transfers` (
	`key` text PRIMARY KEY NOT NULL,
	`transaction_id` text,
	`confirmed_at` integer NOT NULL,
	`reversed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chain_transfers_transaction` ON `chain_transfers` (`transaction_id`);--> statement-breakpoint
CREATE TABLE `price_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`asset_code` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_changes_user` ON `price_changes` (`user_id`,`at`);--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `decisions` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `last_decision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `decisions_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `assets` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `last_asset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `journal_seals` ADD `assets_hash` text DEFAULT '' NOT NULL;