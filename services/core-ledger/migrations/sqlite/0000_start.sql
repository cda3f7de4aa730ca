CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`participant_id` text,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_customer` ON `accounts` (`customer_id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text collate nocase NOT NULL,
	`name` text NOT NULL,
	`network` text NOT NULL,
	`contract_address` text,
	`decimals` integer NOT NULL,
	`metadata` text NOT NULL,
	`iso20022_currency_code` text,
	`iso20022_bank_transaction_domain_code` text,
	`used` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_code` ON `assets` (`code`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `balances` (
	`account_id` text NOT NULL,
	`asset_id` text NOT NULL,
	`available` text NOT NULL,
	`frozen` text NOT NULL,
	PRIMARY KEY(`account_id`, `asset_id`)
);
--> statement-breakpoint
CREATE TABLE `system_balances` (
	`name` text NOT NULL,
	`asset_id` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`name`, `asset_id`)
);
--> statement-breakpoint
CREATE TABLE `journal` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transaction_id` text NOT NULL,
	`kind` text NOT NULL,
	`asset_id` text NOT NULL,
	`debit` text NOT NULL,
	`credit` text NOT NULL,
	`amount` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_transaction` ON `journal` (`transaction_id`,`kind`);--> statement-breakpoint
CREATE TABLE `seals` (
	`last_seq` integer PRIMARY KEY NOT NULL,
	`entries` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `work` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`refusals` integer NOT NULL,
	`last_error` text,
	`accepted_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `work_due` ON `work` (`lane`,`due_at`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `daily_totals` (
	`day` text NOT NULL,
	`account_type` text NOT NULL,
	`asset_id` text NOT NULL,
	`network` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`day`, `account_type`, `asset_id`, `network`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `holdings` (
	`account_type` text NOT NULL,
	`asset_id` text NOT NULL,
	`network` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`account_type`, `asset_id`, `network`)
);
--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` text NOT NULL,
	`to_account_id` text,
	`asset_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`network` text NOT NULL,
	`source_address` text,
	`destination_address` text,
	`reference` text,
	`tx_hash` text,
	`log_index` integer,
	`participant_id` text,
	`screening_approved` integer,
	`screening_data` text,
	`rejection_reason` text,
	`failure_reason` text,
	`phases` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`executed_at` integer
);
--> statement-breakpoint
CREATE INDEX `transactions_account` ON `transactions` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_open` ON `transactions` (`status`,`id`) WHERE "transactions"."status" = 'PENDING' or "transactions"."status" = 'FROZEN' or "transactions"."status" = 'APPROVED';--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_deposit` ON `transactions` (`network`,`tx_hash`,`log_index`) WHERE "transactions"."log_index" is not null;