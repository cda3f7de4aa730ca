CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`subject` text NOT NULL,
	`blockchain` text NOT NULL,
	`participant_id` text,
	`callback_headers` text,
	`status` text NOT NULL,
	`result` text,
	`sanctioned` integer,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_external_id` ON `jobs` (`kind`,`external_id`);--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `jobs_subject_folded` ON `jobs` (lower("subject"),`id`);--> statement-breakpoint
CREATE INDEX `jobs_participant` ON `jobs` (`participant_id`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_pending` ON `jobs` (`id`) WHERE "jobs"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `jobs_failed` ON `jobs` (`id`) WHERE "jobs"."status" = 'failed';--> statement-breakpoint
CREATE INDEX `jobs_hits` ON `jobs` (`id`) WHERE "jobs"."sanctioned";--> statement-breakpoint
CREATE TABLE `list_entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`list_id` integer NOT NULL,
	`hash` integer NOT NULL,
	`entry_id` text NOT NULL,
	`asset` text NOT NULL,
	`address` text NOT NULL,
	`name` text
);
--> statement-breakpoint
CREATE INDEX `list_entries_hash` ON `list_entries` (`list_id`,`hash`);--> statement-breakpoint
CREATE TABLE `list_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`published_at` integer NOT NULL,
	`checksum` text,
	`entries` integer NOT NULL,
	`names` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`activated_at` integer,
	`rescreened` integer NOT NULL,
	`rescreen_hits` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lists_status` ON `lists` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `listed_name_words` (
	`list_id` integer NOT NULL,
	`word` text NOT NULL,
	`name_seq` integer NOT NULL,
	PRIMARY KEY(`list_id`, `word`, `name_seq`)
);
--> statement-breakpoint
CREATE TABLE `listed_names` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`list_id` integer NOT NULL,
	`entry_id` text NOT NULL,
	`name` text NOT NULL,
	`words` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listed_names_list` ON `listed_names` (`list_id`,`seq`);--> statement-breakpoint
CREATE TABLE `watched_addresses` (
	`key` text NOT NULL,
	`participant_id` text NOT NULL,
	`address` text NOT NULL,
	`blockchain` text NOT NULL,
	`ledger_transaction_id` text,
	`list_id` integer NOT NULL,
	`listed` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`key`, `participant_id`)
);
--> statement-breakpoint
CREATE INDEX `watched_addresses_list` ON `watched_addresses` (`list_id`);--> statement-breakpoint
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
