CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`place` text NOT NULL,
	`account_id` text,
	`address` text NOT NULL,
	`counterparty` text,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer,
	`order_id` text,
	`block` integer NOT NULL,
	`confirmed_at` integer,
	`reversed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `movements_place` ON `movements` (`network`,`tx_hash`,`place`);--> statement-breakpoint
CREATE INDEX `movements_pending` ON `movements` (`network`,`block`) WHERE "movements"."confirmed_at" is null;--> statement-breakpoint
CREATE INDEX `movements_known` ON `movements` (`network`,`block`,`id`) WHERE "movements"."confirmed_at" is null and "movements"."decimals" is not null;--> statement-breakpoint
CREATE INDEX `movements_unknown_tokens` ON `movements` (`network`,`address`,`contract_address`) WHERE "movements"."confirmed_at" is null and "movements"."decimals" is null;--> statement-breakpoint
CREATE TABLE `untold_fees` (
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`order_id` text NOT NULL,
	`block` integer NOT NULL,
	PRIMARY KEY(`network`, `tx_hash`)
);
--> statement-breakpoint
CREATE INDEX `untold_fees_block` ON `untold_fees` (`network`,`block`);--> statement-breakpoint
CREATE TABLE `simulated_balances` (
	`network` text NOT NULL,
	`address` text NOT NULL,
	`token` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`network`, `address`, `token`)
);
--> statement-breakpoint
CREATE INDEX `simulated_balances_address` ON `simulated_balances` (`address`);--> statement-breakpoint
CREATE TABLE `simulated_blocks` (
	`network` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`parent_hash` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`network`, `number`)
);
--> statement-breakpoint
CREATE TABLE `simulated_nonces` (
	`network` text NOT NULL,
	`address` text NOT NULL,
	`nonce` integer NOT NULL,
	PRIMARY KEY(`network`, `address`)
);
--> statement-breakpoint
CREATE TABLE `simulated_transactions` (
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`block` integer NOT NULL,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`contract_address` text,
	`amount` text NOT NULL,
	`failure` text,
	PRIMARY KEY(`tx_hash`, `network`)
);
--> statement-breakpoint
CREATE INDEX `simulated_transactions_block` ON `simulated_transactions` (`network`,`block`);--> statement-breakpoint
CREATE TABLE `restored_sends` (
	`send_id` text PRIMARY KEY NOT NULL,
	`restored_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `attempts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`send_id` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`nonce` integer,
	`unsigned` text NOT NULL,
	`signed` text NOT NULL,
	`signers` text NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`lost_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_hash` ON `attempts` (`network`,`tx_hash`);--> statement-breakpoint
CREATE INDEX `attempts_send` ON `attempts` (`send_id`,`seq`);--> statement-breakpoint
CREATE TABLE `senders` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`next_nonce` integer,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `senders_due` ON `senders` (`network`,`due_at`) WHERE "senders"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `sends` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer NOT NULL,
	`fee_payer` text,
	`transaction_data` text,
	`sender` text NOT NULL,
	`status` text NOT NULL,
	`tx_hash` text,
	`reason` text,
	`nonce` integer,
	`due_at` integer,
	`failures` integer NOT NULL,
	`last_error` text,
	`is_untold` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sends_due` ON `sends` (`network`,`sender`,`due_at`) WHERE "sends"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `sends_nonce` ON `sends` (`network`,`sender`,`nonce`) WHERE "sends"."due_at" is null and "sends"."nonce" is not null;--> statement-breakpoint
CREATE INDEX `sends_open` ON `sends` (`id`,`network`) WHERE "sends"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `tokens` (
	`network` text NOT NULL,
	`key` text NOT NULL,
	`contract_address` text,
	`code` text collate nocase NOT NULL,
	`decimals` integer NOT NULL,
	`registered_at` integer NOT NULL,
	PRIMARY KEY(`network`, `key`)
);
--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`transaction_id` text NOT NULL,
	`participant_id` text NOT NULL,
	`account_id` text NOT NULL,
	`network` text NOT NULL,
	`currency` text collate nocase NOT NULL,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer NOT NULL,
	`destination_address` text NOT NULL,
	`iban` text,
	`swift` text,
	`status` text NOT NULL,
	`ledger_id` text,
	`ledger_status` text,
	`reason` text,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_caller` ON `transactions` (`participant_id`,`type`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`due_at`) WHERE "transactions"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`log_index` integer NOT NULL,
	`status` text NOT NULL,
	`account_id` text,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`from_key` text NOT NULL,
	`to_key` text NOT NULL,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer,
	`block` integer NOT NULL,
	`block_hash` text NOT NULL,
	`at` integer NOT NULL,
	`confirmed_at` integer,
	`reversed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_place` ON `transfers` (`network`,`tx_hash`,`log_index`);--> statement-breakpoint
CREATE INDEX `transfers_block` ON `transfers` (`network`,`status`,`block`);--> statement-breakpoint
CREATE INDEX `transfers_from` ON `transfers` (`from_key`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `transfers_to` ON `transfers` (`to_key`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `transfers_unknown_tokens` ON `transfers` (`network`,`to_key`,`contract_address`) WHERE "transfers"."status" = 'unknown_token';--> statement-breakpoint
CREATE TABLE `cursors` (
	`network` text NOT NULL,
	`account` text NOT NULL,
	`block` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`network`, `account`)
);
--> statement-breakpoint
CREATE TABLE `read_blocks` (
	`network` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`network`, `number`)
);
--> statement-breakpoint
CREATE TABLE `watched_addresses` (
	`network` text NOT NULL,
	`key` text NOT NULL,
	`address` text NOT NULL,
	`account_id` text NOT NULL,
	`is_portfolio` integer DEFAULT false NOT NULL,
	`watched_at` integer NOT NULL,
	PRIMARY KEY(`network`, `key`)
);
--> statement-breakpoint
CREATE INDEX `watched_key` ON `watched_addresses` (`key`);--> statement-breakpoint
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
