CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`delivery_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`http_status` integer,
	`url` text,
	`signature` text,
	`answer` text,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `attempts_delivery` ON `attempts` (`delivery_id`,`id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`request_id` text NOT NULL,
	`event_type` text NOT NULL,
	`participant_id` text,
	`endpoint_id` text,
	`target_id` text,
	`url` text NOT NULL,
	`headers` text,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`attempt_count` integer NOT NULL,
	`max_retries` integer NOT NULL,
	`last_error` text,
	`last_attempt_at` integer,
	`success_at` integer,
	`failed_at` integer,
	`http_status` integer,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_queue` ON `deliveries` (`target_id`,`status`,`due_at`,`event_id`);--> statement-breakpoint
CREATE INDEX `deliveries_request` ON `deliveries` (`request_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event` ON `deliveries` (`event_id`,`endpoint_id`);--> statement-breakpoint
CREATE INDEX `deliveries_status` ON `deliveries` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_failed` ON `deliveries` (`failed_at`,`id`) WHERE "deliveries"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_participant_failed` ON `deliveries` (`participant_id`,`failed_at`,`id`) WHERE "deliveries"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_endpoint` ON `deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_endpoint_failed` ON `deliveries` (`endpoint_id`,`id`) WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX `deliveries_event_type` ON `deliveries` (`event_type`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_participant` ON `deliveries` (`participant_id`,`id`);--> statement-breakpoint
CREATE TABLE `endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`url` text NOT NULL,
	`event_types` text NOT NULL,
	`status` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `endpoints_participant` ON `endpoints` (`participant_id`,`id`);--> statement-breakpoint
CREATE INDEX `endpoints_url` ON `endpoints` (`url`);--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participants_deleted_at` ON `participants` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `pfis` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pfis_status` ON `pfis` (`status`);--> statement-breakpoint
CREATE TABLE `targets` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text,
	`pace` text NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`failures` integer NOT NULL,
	`paused_until` integer
);
--> statement-breakpoint
CREATE INDEX `targets_due` ON `targets` (`pace`,`due_at`) WHERE "targets"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `targets_paused` ON `targets` (`paused_until`) WHERE "targets"."paused_until" is not null;--> statement-breakpoint
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
