CREATE TABLE `provider_accounts` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_accounts_user` ON `provider_accounts` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `provider_log_ins` (
	`hash` text PRIMARY KEY NOT NULL,
	`checks` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `provider_log_ins_expires_at` ON `provider_log_ins` (`expires_at`);--> statement-breakpoint
ALTER TABLE `login_challenges` ADD `via_provider` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `via_provider` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `second_factor_at` integer;