CREATE TABLE `released_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`released_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `restore_hold` (
	`id` text PRIMARY KEY NOT NULL,
	`line` text NOT NULL,
	`before` integer
);
