CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`headers` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at` ON `idempotency_keys` (`expires_at`) WHERE "idempotency_keys"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `inbox` (
	`event_id` blob PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`envelope` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `parts` (
	`id` text PRIMARY KEY NOT NULL,
	`thing_id` text NOT NULL,
	FOREIGN KEY (`thing_id`) REFERENCES `things`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `things` (
	`id` text PRIMARY KEY NOT NULL,
	`label` text,
	`count` integer DEFAULT 0 NOT NULL,
	`ratio` real,
	`is_open` integer DEFAULT true NOT NULL,
	`is_known` integer,
	`data` text NOT NULL,
	`extra` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`asset_code` text collate nocase,
	`amount` text NOT NULL,
	`fee` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `things_asset_code` ON `things` (`asset_code`);--> statement-breakpoint
CREATE INDEX `things_open` ON `things` (`created_at`);