CREATE TABLE `customer_owners` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `price_changes_user` ON `price_changes` (`user_id`,`at`);