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
	`created_at` integer NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_customer_id` ON `accounts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_participant_id` ON `accounts` (`participant_id`,`epoch`) WHERE "accounts"."participant_id" is not null;--> statement-breakpoint
CREATE TABLE `former_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`valid_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `former_keys_participant` ON `former_keys` (`participant_id`);--> statement-breakpoint
CREATE INDEX `former_keys_valid_until` ON `former_keys` (`valid_until`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`external_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`made_for` text,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customers_external_id` ON `customers` (`external_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`participant_id` text,
	`position` integer
);
--> statement-breakpoint
CREATE INDEX `members_participant` ON `members` (`participant_id`,`position`);--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`live` integer NOT NULL,
	`institution_name` text NOT NULL,
	`search_name` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_valid_until` integer,
	`sealed_key` text NOT NULL,
	`router_data` text,
	`router_text` text,
	`omnibus_account_id` text,
	`fee_payer_account_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `participants_key_hash` ON `participants` (`key_hash`) WHERE "participants"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `participants_kept` ON `participants` (`id`) WHERE "participants"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `participants_search_name` ON `participants` (`search_name`) WHERE "participants"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `participants_omnibus_account_id` ON `participants` (`omnibus_account_id`);--> statement-breakpoint
CREATE INDEX `participants_fee_payer_account_id` ON `participants` (`fee_payer_account_id`);--> statement-breakpoint
CREATE TABLE `router_words` (
	`participant_id` text NOT NULL,
	`address` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `router_words_participant` ON `router_words` (`participant_id`);--> statement-breakpoint
CREATE INDEX `router_words_address` ON `router_words` (`address`,`participant_id`);--> statement-breakpoint
CREATE INDEX `router_words_name` ON `router_words` (`name`,`participant_id`);--> statement-breakpoint
CREATE TABLE `sagas` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`checked` integer NOT NULL,
	`changes` text,
	`members` text NOT NULL,
	`request_hash` text NOT NULL,
	`idempotency_key` text,
	`request_id` text,
	`answered` integer NOT NULL,
	`failure` text,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `sagas_unfinished` ON `sagas` (`participant_id`) WHERE "sagas"."finished_at" is null;--> statement-breakpoint
CREATE INDEX `sagas_due` ON `sagas` (`due_at`) WHERE "sagas"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `sagas_finished_at` ON `sagas` (`finished_at`);--> statement-breakpoint
CREATE TABLE `saga_steps` (
	`saga_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`member` integer NOT NULL,
	`input` text NOT NULL,
	`target_id` text,
	`done` integer NOT NULL,
	PRIMARY KEY(`saga_id`, `position`)
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
