CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user` text NOT NULL,
	`must_change_password` integer NOT NULL,
	`tokens` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `console_sessions_user` ON `console_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `console_sessions_used_at` ON `console_sessions` (`used_at`);