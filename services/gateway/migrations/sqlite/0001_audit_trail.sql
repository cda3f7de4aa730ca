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
CREATE INDEX `audit_trail_object` ON `audit_trail` (`object`);