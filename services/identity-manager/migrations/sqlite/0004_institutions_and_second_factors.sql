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
CREATE TABLE `authenticators` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`device` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_challenges_expires_at` ON `login_challenges` (`expires_at`);--> statement-breakpoint
CREATE INDEX `login_challenges_user` ON `login_challenges` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);