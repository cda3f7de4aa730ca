ALTER TABLE `log_messages` ADD `transaction_id` text;--> statement-breakpoint
-- The messages that there are: their metadata names it as it does in new ones.
UPDATE `log_messages` SET `transaction_id` = lower(`metadata` ->> '$.transaction_id') WHERE length(`metadata` ->> '$.transaction_id') = 36;--> statement-breakpoint
CREATE INDEX `log_messages_transaction` ON `log_messages` (`transaction_id`,`timestamp`,`seq`,`series_id`) WHERE "log_messages"."transaction_id" is not null;
