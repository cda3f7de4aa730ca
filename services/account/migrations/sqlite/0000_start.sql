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
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_account_external_id` ON `accounts` (`account_external_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_wallet_account_id` ON `accounts` (`wallet_account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_participant_type` ON `accounts` (`participant_id`,`type`) WHERE "accounts"."participant_id" is not null;--> statement-breakpoint
CREATE INDEX `accounts_customer` ON `accounts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_status` ON `accounts` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_type` ON `accounts` (`type`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_type_status` ON `accounts` (`type`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_customer_status` ON `accounts` (`customer_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_customer_type` ON `accounts` (`customer_id`,`type`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_customer_type_status` ON `accounts` (`customer_id`,`type`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `addresses` (
	`account_id` text NOT NULL,
	`address` text NOT NULL,
	PRIMARY KEY(`account_id`, `address`)
);
--> statement-breakpoint
CREATE INDEX `addresses_address` ON `addresses` (`address`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`external_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customers_external_id_epoch` ON `customers` (`external_id`,`epoch`);--> statement-breakpoint
CREATE TABLE `status_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`record_id` text NOT NULL,
	`from` text NOT NULL,
	`to` text NOT NULL,
	`reason` text,
	`actor_kind` text,
	`actor_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_changes_record` ON `status_changes` (`record_id`,`id`);--> statement-breakpoint
CREATE TABLE `search_texts` (
	`text` text NOT NULL,
	`record_id` text NOT NULL,
	PRIMARY KEY(`text`, `record_id`)
);
--> statement-breakpoint
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
--> statement-breakpoint
-- What was written stays as it was.
CREATE TRIGGER `status_changes_no_update` BEFORE UPDATE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `status_changes_no_delete` BEFORE DELETE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
