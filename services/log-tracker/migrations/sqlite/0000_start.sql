CREATE TABLE `ledger_heads` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`books` text NOT NULL,
	`number` integer NOT NULL,
	`last_seq` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_heads_books_unique` ON `ledger_heads` (`books`);--> statement-breakpoint
CREATE TABLE `log_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`series_id` integer NOT NULL,
	`request_id` text NOT NULL,
	`transaction_id` text,
	`timestamp` integer NOT NULL,
	`metadata` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_messages_timestamp` ON `log_messages` (`timestamp`,`seq`,`series_id`);--> statement-breakpoint
CREATE INDEX `log_messages_series` ON `log_messages` (`series_id`,`timestamp`,`seq`);--> statement-breakpoint
CREATE INDEX `log_messages_request` ON `log_messages` (`request_id`,`timestamp`,`seq`,`series_id`);--> statement-breakpoint
CREATE INDEX `log_messages_transaction` ON `log_messages` (`transaction_id`,`timestamp`,`seq`,`series_id`) WHERE "log_messages"."transaction_id" is not null;--> statement-breakpoint
CREATE TABLE `log_series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`service` text NOT NULL,
	`event_type` text NOT NULL,
	`status` text NOT NULL,
	`messages` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_series_names` ON `log_series` (`service`,`event_type`,`status`);--> statement-breakpoint
CREATE TABLE `time_block_counts` (
	`block` integer NOT NULL,
	`service` text NOT NULL,
	`event_type` text NOT NULL,
	`status` text NOT NULL,
	`messages` integer NOT NULL,
	PRIMARY KEY(`block`, `service`, `event_type`, `status`)
);
--> statement-breakpoint
CREATE TABLE `time_blocks` (
	`start` integer PRIMARY KEY NOT NULL,
	`messages` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `waiting_messages` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item` text NOT NULL
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
