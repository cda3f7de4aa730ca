CREATE TABLE `bank_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`account_number` text NOT NULL,
	`routing_number` text NOT NULL,
	`currency` text NOT NULL,
	`custodian_bank_id` text NOT NULL,
	`custodian_bank_name` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bank_accounts_participant` ON `bank_accounts` (`participant_id`,`currency`,`id`);--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pfis` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`status` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`participant_id` text NOT NULL,
	`currency` text NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`payment_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_entries_line` ON `credit_entries` (`participant_id`,`currency`,`seq`);--> statement-breakpoint
CREATE TABLE `credit_lines` (
	`participant_id` text NOT NULL,
	`currency` text NOT NULL,
	`limit` text NOT NULL,
	`reserved` text NOT NULL,
	`drawn` text NOT NULL,
	`expires_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`participant_id`, `currency`)
);
--> statement-breakpoint
CREATE TABLE `additional_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`type` text NOT NULL,
	`message` text NOT NULL,
	`data` text,
	`requested_by` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `additional_requests_payment` ON `additional_requests` (`payment_id`,`id`);--> statement-breakpoint
CREATE TABLE `payment_counts` (
	`from_id` text NOT NULL,
	`to_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`payments` integer NOT NULL,
	PRIMARY KEY(`from_id`, `to_id`, `type`, `status`, `currency`)
);
--> statement-breakpoint
CREATE TABLE `uncounted_moves` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_id` text,
	`to_id` text,
	`type` text NOT NULL,
	`currency` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `history` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`payment_id` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL,
	`comment` text,
	`changes` text,
	`moved_by` text,
	`moved_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `history_payment` ON `history` (`payment_id`,`seq`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`amount_key` text NOT NULL,
	`currency` text NOT NULL,
	`from_participant_id` text,
	`from_participant_name` text,
	`from_bank_id` text,
	`from_custodian_id` text,
	`to_participant_id` text,
	`to_participant_name` text,
	`to_bank_id` text,
	`to_custodian_id` text,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`reference_key` text NOT NULL,
	`description` text,
	`bank_details` text,
	`transaction_hash` text,
	`uses_credit` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`kind`,`reference_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_hash` ON `payments` (`transaction_hash`) WHERE "payments"."transaction_hash" is not null;--> statement-breakpoint
CREATE INDEX `payments_group` ON `payments` (`type`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payments_currency` ON `payments` (`currency`,`id`,`type`,`status`);--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`updated_at`,`id`,`type`,`status`);--> statement-breakpoint
CREATE INDEX `payments_amount` ON `payments` (`amount_key`,`id`,`type`,`status`);--> statement-breakpoint
CREATE INDEX `payments_from` ON `payments` (`from_participant_id`,`id`,`type`,`status`) WHERE "payments"."from_participant_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_to` ON `payments` (`to_participant_id`,`id`,`type`,`status`) WHERE "payments"."to_participant_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_own` ON `payments` (`from_participant_id`,`id`,`type`,`status`) WHERE "payments"."from_participant_id" = "payments"."to_participant_id";--> statement-breakpoint
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
