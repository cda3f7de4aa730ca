CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`customer_external_id` text,
	`wallet_account_id` text,
	`account_external_id` text,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`name` text NOT NULL,
	`customer_name` text,
	`participant_id` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_account_external_id` ON `accounts` (`account_external_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_wallet_account_id` ON `accounts` (`wallet_account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_participant_type` ON `accounts` (`participant_id`,`type`) WHERE "accounts"."participant_id" is not null;--> statement-breakpoint
CREATE TABLE `addresses` (
	`account_id` text NOT NULL,
	`address` text NOT NULL,
	PRIMARY KEY(`account_id`, `address`)
);
--> statement-breakpoint
CREATE INDEX `addresses_address` ON `addresses` (`address`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`external_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_external_id` ON `customers` (`external_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`headers` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at` ON `idempotency_keys` (`expires_at`) WHERE "idempotency_keys"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `inbox` (
	`event_id` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbox_received_at` ON `inbox` (`received_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`envelope` text NOT NULL,
	`created_at` integer NOT NULL
);
