CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`is_far_ahead` text,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `jobs_lane_due` ON `jobs` (`lane`,`due_at`) WHERE "jobs"."due_at" is not null;