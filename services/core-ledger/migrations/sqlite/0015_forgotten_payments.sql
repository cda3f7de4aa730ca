ALTER TABLE `authorised_executions` ADD `sent_hash` text;--> statement-breakpoint
CREATE INDEX `movements_paid_orders` ON `movements` (`order_id`) WHERE "movements"."kind" = 'out';