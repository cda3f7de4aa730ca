CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`place` text NOT NULL,
	`account_id` text,
	`address` text NOT NULL,
	`counterparty` text,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer,
	`order_id` text,
	`block` integer NOT NULL,
	`confirmed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `movements_place` ON `movements` (`network`,`tx_hash`,`place`);--> statement-breakpoint
CREATE INDEX `movements_pending` ON `movements` (`network`,`block`) WHERE "movements"."confirmed_at" is null;--> statement-breakpoint
CREATE TABLE `restored_sends` (
	`send_id` text PRIMARY KEY NOT NULL,
	`restored_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `transactions_due`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `ledger_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `ledger_status` text;--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`due_at`) WHERE "transactions"."due_at" is not null;--> statement-breakpoint
ALTER TABLE `transfers` ADD `reversed_at` integer;--> statement-breakpoint
ALTER TABLE `watched_addresses` ADD `is_portfolio` integer DEFAULT false NOT NULL;