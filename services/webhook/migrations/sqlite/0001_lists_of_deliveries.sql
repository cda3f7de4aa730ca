CREATE INDEX `deliveries_endpoint_failed` ON `deliveries` (`endpoint_id`,`id`) WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX `deliveries_event_type` ON `deliveries` (`event_type`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_participant` ON `deliveries` (`participant_id`,`id`);--> statement-breakpoint
CREATE INDEX `endpoints_url` ON `endpoints` (`url`);