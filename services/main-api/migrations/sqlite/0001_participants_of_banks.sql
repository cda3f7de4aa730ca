DROP INDEX `bank_accounts_custodian_bank`;--> statement-breakpoint
CREATE INDEX `bank_accounts_custodian_bank` ON `bank_accounts` (`custodian_bank_id`,`participant_id`);