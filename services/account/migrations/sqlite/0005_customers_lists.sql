CREATE INDEX `accounts_customer_status` ON `accounts` (`customer_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_customer_type` ON `accounts` (`customer_id`,`type`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_customer_type_status` ON `accounts` (`customer_id`,`type`,`status`,`id`);