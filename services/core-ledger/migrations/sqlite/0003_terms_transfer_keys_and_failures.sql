CREATE TABLE `unmatched_deposits` (
	`id` text PRIMARY KEY NOT NULL,
	`deposit` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `failed_withdrawals` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`contradiction` text
);
--> statement-breakpoint
CREATE INDEX `failed_withdrawals_due` ON `failed_withdrawals` (`due_at`);--> statement-breakpoint
DROP INDEX `transactions_deposit`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `asset_code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `contract_address` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `decimals` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `transfer_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_deposit` ON `transactions` (`transfer_key`) WHERE "transactions"."transfer_key" is not null;--> statement-breakpoint
ALTER TABLE `work` ADD `leased_until` integer;--> statement-breakpoint
ALTER TABLE `work` ADD `ordered_at` integer;