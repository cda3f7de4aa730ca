CREATE INDEX `accounts_own` ON `accounts` (`type`) WHERE "accounts"."participant_id" is not null;--> statement-breakpoint
CREATE INDEX `token_accounts_address` ON `token_accounts` (`address`);