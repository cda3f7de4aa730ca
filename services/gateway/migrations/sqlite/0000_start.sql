CREATE TABLE `audit_trail` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`act_id` text NOT NULL,
	`step` text NOT NULL,
	`at` integer NOT NULL,
	`door` text NOT NULL,
	`actor` text NOT NULL,
	`roles` text NOT NULL,
	`session` text,
	`address` text NOT NULL,
	`service` text NOT NULL,
	`action` text NOT NULL,
	`object` text,
	`status` integer,
	`request_id` text NOT NULL,
	`detail` text NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_trail_act` ON `audit_trail` (`act_id`);--> statement-breakpoint
CREATE INDEX `audit_trail_actor` ON `audit_trail` (`actor`,`act_id`);--> statement-breakpoint
CREATE INDEX `audit_trail_action` ON `audit_trail` (`action`,`act_id`);--> statement-breakpoint
CREATE INDEX `audit_trail_object` ON `audit_trail` (`object`,`act_id`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user` text NOT NULL,
	`must_change_password` integer NOT NULL,
	`tokens` text NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `console_sessions_user` ON `console_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `console_sessions_used_at` ON `console_sessions` (`used_at`);--> statement-breakpoint
CREATE TABLE `console_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`preferences` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `review_assignments` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`assigned_by` text NOT NULL,
	`assigned_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `review_comments` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`author_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `review_comments_transaction` ON `review_comments` (`transaction_id`,`id`);--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`page` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`owner_id` text NOT NULL,
	`is_shared` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `saved_views_page` ON `saved_views` (`page`,`id`);--> statement-breakpoint
CREATE INDEX `saved_views_owner` ON `saved_views` (`owner_id`);--> statement-breakpoint
CREATE TABLE `institution_addresses` (
	`participant_id` text PRIMARY KEY NOT NULL,
	`addresses` text NOT NULL,
	`changed_by` text NOT NULL,
	`changed_at` integer NOT NULL
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
-- From here on by hand: the audit trail is append-only.
CREATE TRIGGER `audit_trail_refuses_update` BEFORE UPDATE ON `audit_trail`
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_trail_refuses_delete` BEFORE DELETE ON `audit_trail`
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;--> statement-breakpoint
-- INSERT OR REPLACE would delete without a word.
CREATE TRIGGER `audit_trail_refuses_replace` BEFORE INSERT ON `audit_trail`
WHEN NEW.`number` <= (SELECT max(`number`) FROM `audit_trail`)
BEGIN
	SELECT RAISE(ABORT, 'The audit trail is append-only');
END;
