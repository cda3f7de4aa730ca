CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`participant_id` text,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_customer` ON `accounts` (`customer_id`);--> statement-breakpoint
CREATE INDEX `accounts_type` ON `accounts` (`type`);--> statement-breakpoint
CREATE TABLE `customer_owners` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `held_institutions` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `participants_deleted_at` ON `participants` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `pfis` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pfis_status` ON `pfis` (`status`);--> statement-breakpoint
CREATE TABLE `asset_terms` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`asset_id` text NOT NULL,
	`code` text NOT NULL,
	`decimals` integer NOT NULL,
	`network` text NOT NULL,
	`contract_address` text,
	`deleted_at` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `asset_terms_asset` ON `asset_terms` (`asset_id`,`seq`);--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text collate nocase NOT NULL,
	`name` text NOT NULL,
	`network` text NOT NULL,
	`contract_address` text,
	`decimals` integer NOT NULL,
	`metadata` text NOT NULL,
	`iso20022_currency_code` text,
	`iso20022_bank_transaction_domain_code` text,
	`used` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_code` ON `assets` (`code`) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `decisions` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transaction_id` text NOT NULL,
	`number` integer NOT NULL,
	`decision` text NOT NULL,
	`actor_kind` text,
	`actor_id` text,
	`note` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_transaction` ON `decisions` (`transaction_id`,`number`);--> statement-breakpoint
CREATE TABLE `price_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`asset_code` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_changes_user` ON `price_changes` (`user_id`,`at`);--> statement-breakpoint
CREATE TABLE `unmatched_deposits` (
	`id` text PRIMARY KEY NOT NULL,
	`deposit` text NOT NULL,
	`reason` text NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unmatched_deposits_due` ON `unmatched_deposits` (`due_at`) WHERE "unmatched_deposits"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `balances` (
	`account_id` text NOT NULL,
	`asset_id` text NOT NULL,
	`available` text NOT NULL,
	`frozen` text NOT NULL,
	PRIMARY KEY(`account_id`, `asset_id`)
);
--> statement-breakpoint
CREATE TABLE `system_balances` (
	`name` text NOT NULL,
	`asset_id` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`name`, `asset_id`)
);
--> statement-breakpoint
CREATE TABLE `journal` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transaction_id` text NOT NULL,
	`kind` text NOT NULL,
	`asset_id` text NOT NULL,
	`debit` text NOT NULL,
	`credit` text NOT NULL,
	`amount` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_transaction` ON `journal` (`transaction_id`,`kind`);--> statement-breakpoint
CREATE TABLE `chain_transfers` (
	`key` text PRIMARY KEY NOT NULL,
	`transaction_id` text,
	`confirmed_at` integer NOT NULL,
	`reversed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chain_transfers_transaction` ON `chain_transfers` (`transaction_id`);--> statement-breakpoint
CREATE INDEX `chain_transfers_reversed` ON `chain_transfers` (`transaction_id`) WHERE "chain_transfers"."reversed_at" is not null;--> statement-breakpoint
CREATE TABLE `shortfalls` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`asset_id` text NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `transaction_keys` (
	`key` integer NOT NULL,
	`transaction_id` text NOT NULL,
	PRIMARY KEY(`key`, `transaction_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` text NOT NULL,
	`to_account_id` text,
	`asset_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`network` text NOT NULL,
	`asset_code` text DEFAULT '' NOT NULL,
	`contract_address` text,
	`decimals` integer DEFAULT 0 NOT NULL,
	`source_address` text,
	`destination_address` text,
	`reference` text,
	`returns` text,
	`tx_hash` text,
	`log_index` integer,
	`transfer_key` text,
	`participant_id` text,
	`screening_approved` integer,
	`screening_data` text,
	`rejection_reason` text,
	`failure_reason` text,
	`phases` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`executed_at` integer
);
--> statement-breakpoint
CREATE INDEX `transactions_account` ON `transactions` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_executed` ON `transactions` (`account_id`,`executed_at`,`id`) WHERE "transactions"."executed_at" is not null;--> statement-breakpoint
CREATE INDEX `transactions_received` ON `transactions` (`to_account_id`,`executed_at`,`id`) WHERE "transactions"."to_account_id" is not null and "transactions"."executed_at" is not null;--> statement-breakpoint
CREATE INDEX `transactions_open` ON `transactions` (`status`,`id`,`type`) WHERE "transactions"."status" = 'PENDING' or "transactions"."status" = 'FROZEN' or "transactions"."status" = 'APPROVED' or "transactions"."status" = 'FAILED';--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_return` ON `transactions` (`returns`) WHERE "transactions"."returns" is not null and "transactions"."status" <> 'REJECTED' and "transactions"."status" <> 'FAILED';--> statement-breakpoint
CREATE INDEX `transactions_returns` ON `transactions` (`returns`) WHERE "transactions"."returns" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_deposit` ON `transactions` (`transfer_key`) WHERE "transactions"."transfer_key" is not null;--> statement-breakpoint
CREATE TABLE `failed_withdrawals` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`contradiction` text,
	`other_terms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `failed_withdrawals_due` ON `failed_withdrawals` (`due_at`) WHERE "failed_withdrawals"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `work` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`due_at` integer,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`last_error` text,
	`ordered_at` integer,
	`accepted_at` integer,
	`told_epoch` integer,
	`told_version` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `work_due` ON `work` (`lane`,`due_at`) WHERE "work"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `authorised_executions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`network` text NOT NULL,
	`takes` text NOT NULL,
	`is_opaque` integer NOT NULL,
	`authorised_at` integer NOT NULL,
	`sent_hash` text,
	`confirmed_at` integer,
	`tx_hash` text,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `authorised_executions_open` ON `authorised_executions` (`account_id`) WHERE "authorised_executions"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`place` text NOT NULL,
	`part` integer NOT NULL,
	`account_id` text,
	`address` text NOT NULL,
	`counterparty` text,
	`contract_address` text,
	`amount` text NOT NULL,
	`decimals` integer NOT NULL,
	`order_id` text,
	`asset_id` text,
	`confirmed_at` integer NOT NULL,
	`reversed_at` integer,
	`confirmed_again_at` integer,
	`booked_at` integer,
	`waits_for` text
);
--> statement-breakpoint
CREATE INDEX `movements_account` ON `movements` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `movements_listed` ON `movements` (`account_id`,`confirmed_at`,`id`);--> statement-breakpoint
CREATE INDEX `movements_booked` ON `movements` (`account_id`,`booked_at`,`id`) WHERE "movements"."booked_at" is not null;--> statement-breakpoint
CREATE INDEX `movements_waiting` ON `movements` (`id`) WHERE "movements"."booked_at" is null;--> statement-breakpoint
CREATE INDEX `movements_paid_orders` ON `movements` (`order_id`) WHERE "movements"."kind" = 'out';--> statement-breakpoint
CREATE TABLE `daily_totals` (
	`day` text NOT NULL,
	`account_type` text NOT NULL,
	`asset_id` text NOT NULL,
	`network` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`day`, `account_type`, `asset_id`, `network`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `holdings` (
	`account_type` text NOT NULL,
	`asset_id` text NOT NULL,
	`network` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`account_type`, `asset_id`, `network`)
);
--> statement-breakpoint
CREATE TABLE `journal_seals` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`form` integer NOT NULL,
	`last_seq` integer NOT NULL,
	`ranges` text,
	`entries` integer NOT NULL,
	`root` text NOT NULL,
	`keys` integer NOT NULL,
	`last_key` integer NOT NULL,
	`keys_hash` text NOT NULL,
	`decisions` integer DEFAULT 0 NOT NULL,
	`last_decision` integer DEFAULT 0 NOT NULL,
	`decisions_hash` text DEFAULT '' NOT NULL,
	`assets` integer DEFAULT 0 NOT NULL,
	`last_asset` integer DEFAULT 0 NOT NULL,
	`assets_hash` text DEFAULT '' NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ordered_withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text,
	`refusal` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activated_lists` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`activated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listed_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`listed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refrozen_withdrawals` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`listed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `arrivals` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`follower` text NOT NULL,
	`rows` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`record_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `changes_record` ON `changes` (`kind`,`record_id`);--> statement-breakpoint
CREATE INDEX `changes_kind` ON `changes` (`kind`,`seq`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`headers` text,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_key` ON `idempotency_keys` (`scope`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at` ON `idempotency_keys` (`expires_at`) WHERE "idempotency_keys"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `inbox` (
	`event_id` blob PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`alive_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`fence` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`envelope` text NOT NULL,
	`created_at` integer NOT NULL,
	`instance` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `replicas` (
	`kind` text PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL,
	`after` integer NOT NULL
);
--> statement-breakpoint
-- What people have decided stays as it was said.
CREATE TRIGGER `decisions_stay` BEFORE UPDATE ON `decisions` BEGIN SELECT RAISE(ABORT, 'a decision is not changed'); END;
--> statement-breakpoint
CREATE TRIGGER `decisions_last` BEFORE DELETE ON `decisions` BEGIN SELECT RAISE(ABORT, 'a decision is not deleted'); END;
--> statement-breakpoint
-- What was noted stays as it was.
CREATE TRIGGER `asset_terms_stay` BEFORE UPDATE ON `asset_terms` BEGIN SELECT RAISE(ABORT, 'the terms of an asset are not changed'); END;
--> statement-breakpoint
CREATE TRIGGER `asset_terms_last` BEFORE DELETE ON `asset_terms` BEGIN SELECT RAISE(ABORT, 'the terms of an asset are not deleted'); END;
