DROP INDEX `deliveries_failed`;--> statement-breakpoint
CREATE INDEX `deliveries_participant_failed` ON `deliveries` (`participant_id`,`failed_at`,`id`) WHERE "deliveries"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_failed` ON `deliveries` (`failed_at`,`id`) WHERE "deliveries"."failed_at" is not null;