ALTER TABLE `authorised_executions` ADD `tx_hash` text;--> statement-breakpoint
CREATE INDEX `movements_listed` ON `movements` (`account_id`,`confirmed_at`,`id`);