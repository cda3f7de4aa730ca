CREATE TABLE `aml_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`participant_id` text NOT NULL,
	`custodian_bank_id` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`sealed_customer` text NOT NULL,
	`score` integer NOT NULL,
	`risk_level` text NOT NULL,
	`reasons` text NOT NULL,
	`rules` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `aml_checks_participant` ON `aml_checks` (`participant_id`,`id`);--> statement-breakpoint
CREATE TABLE `bank_payments` (
	`custodian_bank_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`direction` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`amount_order` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`custodian_bank_id`, `payment_id`)
);
--> statement-breakpoint
CREATE INDEX `bank_payments_payment` ON `bank_payments` (`payment_id`);--> statement-breakpoint
CREATE INDEX `bank_payments_created` ON `bank_payments` (`custodian_bank_id`,`created_at`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_updated` ON `bank_payments` (`custodian_bank_id`,`updated_at`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_amount` ON `bank_payments` (`custodian_bank_id`,`amount_order`,`payment_id`,`status`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_status` ON `bank_payments` (`custodian_bank_id`,`status`,`payment_id`,`type`);--> statement-breakpoint
CREATE INDEX `bank_payments_type` ON `bank_payments` (`custodian_bank_id`,`type`,`payment_id`,`status`);--> statement-breakpoint
CREATE INDEX `bank_payments_balance` ON `bank_payments` (`custodian_bank_id`,`payment_id`,`status`,`direction`,`currency`,`amount`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`from` text,
	`to` text,
	`from_participant_id` text,
	`to_participant_id` text,
	`reference` text NOT NULL,
	`description` text,
	`transaction_hash` text,
	`search_text` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payments_from_participant` ON `payments` (`from_participant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_to_participant` ON `payments` (`to_participant_id`,`created_at`);