CREATE TABLE `additional_information` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `additional_information_key` ON `additional_information` (`participant_id`,`key`);--> statement-breakpoint
CREATE TABLE `aml_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`custodian_bank_id` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`sealed_customer` text NOT NULL,
	`score` integer NOT NULL,
	`risk_level` text NOT NULL,
	`reasons` text NOT NULL,
	`rules` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `aml_checks_participant` ON `aml_checks` (`participant_id`,`id`);--> statement-breakpoint
CREATE TABLE `bank_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`account_number` text NOT NULL,
	`routing_number` text NOT NULL,
	`account_type` text NOT NULL,
	`currency` text NOT NULL,
	`custodian_bank_id` text NOT NULL,
	`custodian_bank_name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_accounts_number` ON `bank_accounts` (`routing_number`,`account_number`,`currency`);--> statement-breakpoint
CREATE INDEX `bank_accounts_participant` ON `bank_accounts` (`participant_id`,`id`);--> statement-breakpoint
CREATE INDEX `bank_accounts_custodian_bank` ON `bank_accounts` (`custodian_bank_id`,`participant_id`);--> statement-breakpoint
CREATE TABLE `custodian_banks` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`country` text NOT NULL,
	`services` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custodian_banks_name` ON `custodian_banks` (`search_name`) WHERE "custodian_banks"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `document_parts` (
	`sha256` text NOT NULL,
	`place` integer NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`sha256`, `place`)
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`type` text NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`uploaded_by` text,
	`uploaded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_content` ON `documents` (`participant_id`,`type`,`sha256`);--> statement-breakpoint
CREATE INDEX `documents_participant` ON `documents` (`participant_id`,`id`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`sealed_key` text NOT NULL,
	`addresses` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`previous_until` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_participant` ON `api_keys` (`participant_id`,`id`);--> statement-breakpoint
CREATE TABLE `handovers` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`revision` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
CREATE INDEX `handovers_due_at` ON `handovers` (`due_at`) WHERE "handovers"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `handovers_pending` ON `handovers` (`due_at`) WHERE "handovers"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`email` text NOT NULL,
	`country` text NOT NULL,
	`business_type` text NOT NULL,
	`registration_number` text NOT NULL,
	`address` text NOT NULL,
	`status` text NOT NULL,
	`approved_at` integer,
	`registered_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participants_status` ON `participants` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `participants_search_name` ON `participants` (`search_name`);--> statement-breakpoint
CREATE INDEX `participants_registration_number` ON `participants` (`registration_number`);--> statement-breakpoint
CREATE TABLE `bank_payments` (
	`custodian_bank_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`direction` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`amount_order` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`custodian_bank_id`, `payment_id`)
);
--> statement-breakpoint
CREATE INDEX `bank_payments_payment` ON `bank_payments` (`payment_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_created` ON `bank_payments` (`custodian_bank_id`,`created_at`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_updated` ON `bank_payments` (`custodian_bank_id`,`updated_at`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_amount` ON `bank_payments` (`custodian_bank_id`,`amount_order`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_status` ON `bank_payments` (`custodian_bank_id`,`status`,`payment_id`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_type` ON `bank_payments` (`custodian_bank_id`,`type`,`payment_id`,`status`);--> statement-breakpoint
CREATE INDEX `bank_payments_balance` ON `bank_payments` (`custodian_bank_id`,`payment_id`,`status`,`direction`,`currency`,`amount`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`from` text,
	`to` text,
	`from_participant_id` text,
	`to_participant_id` text,
	`reference` text NOT NULL,
	`description` text,
	`transaction_hash` text,
	`search_text` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payments_from_participant` ON `payments` (`from_participant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_to_participant` ON `payments` (`to_participant_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`from` text NOT NULL,
	`to` text NOT NULL,
	`comments` text,
	`changed_by` text,
	`changed_by_kind` text,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reviews_participant` ON `reviews` (`participant_id`,`id`);--> statement-breakpoint
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
