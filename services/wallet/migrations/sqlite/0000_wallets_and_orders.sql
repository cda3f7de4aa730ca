CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text,
	`wallet_account_id` text,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_participant` ON `accounts` (`participant_id`);--> statement-breakpoint
CREATE INDEX `accounts_own` ON `accounts` (`type`) WHERE "accounts"."participant_id" is not null;--> statement-breakpoint
CREATE TABLE `seeds` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`account_id` text NOT NULL,
	`network` text NOT NULL,
	`asset_code` text NOT NULL,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer NOT NULL,
	`destination` text NOT NULL,
	`transaction_data` text,
	`status` text NOT NULL,
	`tx_hash` text,
	`reason` text,
	`payer` text,
	`fee_payer` text,
	`chain` text,
	`signed_at` integer,
	`waits_for` text,
	`lost_at` integer,
	`disowned_at` integer,
	`handed_at` integer,
	`told_epoch` integer,
	`told_version` integer,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`request_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`due_at`) WHERE "orders"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_request_key` ON `orders` (`request_key`) WHERE "orders"."request_key" is not null;--> statement-breakpoint
CREATE INDEX `orders_payer` ON `orders` (`network`,`payer`) WHERE "orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `orders_fee_payer` ON `orders` (`network`,`fee_payer`) WHERE "orders"."due_at" is not null and "orders"."fee_payer" is not null;--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`id`,`network`) WHERE "orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `orders_lost` ON `orders` (`id`) WHERE "orders"."lost_at" is not null;--> statement-breakpoint
CREATE INDEX `orders_disowned` ON `orders` (`id`) WHERE "orders"."disowned_at" is not null;--> statement-breakpoint
CREATE TABLE `released_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`released_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `restore_hold` (
	`id` text PRIMARY KEY NOT NULL,
	`line` text NOT NULL,
	`before` integer
);
--> statement-breakpoint
CREATE TABLE `signatures` (
	`order_id` text NOT NULL,
	`number` integer NOT NULL,
	`network` text NOT NULL,
	`sender` text NOT NULL,
	`nonce` integer,
	`blockhash` text,
	`tx_hash` text NOT NULL,
	`signed_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `token_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`network` text NOT NULL,
	`token` text NOT NULL,
	`token_address` text,
	`asset_code` text,
	`address` text NOT NULL,
	`fee_payer_account_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_accounts_wallet_token` ON `token_accounts` (`wallet_id`,`token`);--> statement-breakpoint
CREATE INDEX `token_accounts_address` ON `token_accounts` (`address`);--> statement-breakpoint
CREATE TABLE `wallet_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wallet_accounts_account_id` ON `wallet_accounts` (`account_id`);--> statement-breakpoint
CREATE TABLE `wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`wallet_account_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`watched_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wallets_account_network` ON `wallets` (`account_id`,`network`);--> statement-breakpoint
CREATE UNIQUE INDEX `wallets_network_address` ON `wallets` (`network`,`address`);--> statement-breakpoint
CREATE INDEX `wallets_address` ON `wallets` (`address`,`id`);--> statement-breakpoint
CREATE INDEX `wallets_network` ON `wallets` (`network`,`id`);--> statement-breakpoint
CREATE INDEX `wallets_watched_at` ON `wallets` (`watched_at`,`id`);--> statement-breakpoint
CREATE TABLE `arrivals` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`follower` text NOT NULL,
	`rows` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`record_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `changes_record` ON `changes` (`kind`,`record_id`);--> statement-breakpoint
CREATE INDEX `changes_kind` ON `changes` (`kind`,`seq`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`headers` text,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_key` ON `idempotency_keys` (`scope`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at` ON `idempotency_keys` (`expires_at`) WHERE "idempotency_keys"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `inbox` (
	`event_id` blob PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`envelope` text NOT NULL,
	`created_at` integer NOT NULL,
	`instance` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `replicas` (
	`kind` text PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL,
	`after` integer NOT NULL
);
