DROP INDEX `transactions_due`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `ledger_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `ledger_status` text;--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`due_at`) WHERE "transactions"."due_at" is not null;