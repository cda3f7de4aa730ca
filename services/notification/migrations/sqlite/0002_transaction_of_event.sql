DROP INDEX `events_transaction`;--> statement-breakpoint
ALTER TABLE `events` ADD `transaction_id` text;--> statement-breakpoint
UPDATE `events` SET `transaction_id` = `data` ->> '$.transactionId';--> statement-breakpoint
CREATE INDEX `events_of_transaction` ON `events` (`transaction_id`,`timestamp`);