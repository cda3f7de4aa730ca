DROP INDEX `audit_trail_object`;--> statement-breakpoint
CREATE INDEX `audit_trail_object` ON `audit_trail` (`object`,`act_id`);