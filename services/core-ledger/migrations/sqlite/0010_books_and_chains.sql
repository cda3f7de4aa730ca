CREATE TABLE `customer_owners` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shortfalls` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`asset_id` text NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
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
CREATE INDEX `price_changes_user` ON `price_changes` (`user_id`,`at`);--> statement-breakpoint
CREATE TABLE `authorised_executions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`network` text NOT NULL,
	`takes` text NOT NULL,
	`is_opaque` integer NOT NULL,
	`authorised_at` integer NOT NULL,
	`confirmed_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `authorised_executions_open` ON `authorised_executions` (`account_id`) WHERE "authorised_executions"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`place` text NOT NULL,
	`part` integer NOT NULL,
	`account_id` text,
	`address` text NOT NULL,
	`counterparty` text,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer NOT NULL,
	`order_id` text,
	`asset_id` text,
	`confirmed_at` integer NOT NULL,
	`booked_at` integer,
	`waits_for` text
);
--> statement-breakpoint
CREATE INDEX `movements_account` ON `movements` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `movements_waiting` ON `movements` (`id`) WHERE "movements"."booked_at" is null;--> statement-breakpoint
CREATE TABLE `ordered_withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text,
	`refusal` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activated_lists` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`activated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listed_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`listed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refrozen_withdrawals` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`listed_at` integer NOT NULL
);
