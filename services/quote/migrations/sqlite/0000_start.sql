CREATE TABLE `counter_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`by` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`total` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `asset_providers` (
	`asset_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`config` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`asset_id`, `provider_id`),
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`provider_id`) REFERENCES `providers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_providers_provider` ON `asset_providers` (`provider_id`);--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`code` text collate nocase NOT NULL,
	`category_id` text,
	`description` text,
	`static_value` real,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_code` ON `assets` (`code`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `assets_search_name` ON `assets` (`search_name`,`id`,`deleted_at`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `assets_created_at` ON `assets` (`created_at`,`id`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `assets_updated_at` ON `assets` (`updated_at`,`id`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `assets_category` ON `assets` (`category_id`,`created_at`,`id`,`deleted_at`) WHERE "assets"."category_id" is not null and "assets"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `categories` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`description` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name` ON `categories` (`name`) WHERE "categories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `categories_search_name` ON `categories` (`search_name`,`id`) WHERE "categories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `categories_created_at` ON `categories` (`created_at`,`id`) WHERE "categories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `categories_updated_at` ON `categories` (`updated_at`,`id`) WHERE "categories"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `category_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`category_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`config` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`provider_id`) REFERENCES `providers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `category_providers_pair` ON `category_providers` (`category_id`,`provider_id`);--> statement-breakpoint
CREATE INDEX `category_providers_provider` ON `category_providers` (`provider_id`);--> statement-breakpoint
CREATE TABLE `ended_values` (
	`id` text PRIMARY KEY NOT NULL,
	`asset_code` text collate nocase NOT NULL,
	`value` real NOT NULL,
	`ended_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_values_code` ON `ended_values` (`asset_code`,`ended_at`);--> statement-breakpoint
CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_name` text NOT NULL,
	`slug` text NOT NULL,
	`is_default` integer NOT NULL,
	`config` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `providers_slug` ON `providers` (`slug`) WHERE "providers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `providers_search_name` ON `providers` (`search_name`,`id`) WHERE "providers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `providers_created_at` ON `providers` (`created_at`,`id`) WHERE "providers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `providers_updated_at` ON `providers` (`updated_at`,`id`) WHERE "providers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `providers_default` ON `providers` (`is_default`,`created_at`,`id`) WHERE "providers"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `rates` (
	`id` text PRIMARY KEY NOT NULL,
	`asset_id` text,
	`asset_code` text NOT NULL,
	`rate` real NOT NULL,
	`providers` text NOT NULL,
	`timestamp` integer NOT NULL,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `rates_timestamp` ON `rates` (`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `rates_rate` ON `rates` (`rate`,`id`);--> statement-breakpoint
CREATE INDEX `rates_asset` ON `rates` (`asset_id`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `rates_code` ON `rates` (lower("asset_code"),`timestamp`,`rate`);--> statement-breakpoint
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
