CREATE TABLE `status_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`record_id` text NOT NULL,
	`from` text NOT NULL,
	`to` text NOT NULL,
	`reason` text,
	`actor_kind` text,
	`actor_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `status_changes_record` ON `status_changes` (`record_id`,`id`);--> statement-breakpoint
CREATE TABLE `search_texts` (
	`text` text NOT NULL,
	`record_id` text NOT NULL,
	PRIMARY KEY(`text`, `record_id`)
);
--> statement-breakpoint
CREATE INDEX `accounts_customer` ON `accounts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_status` ON `accounts` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_type` ON `accounts` (`type`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_type_status` ON `accounts` (`type`,`status`,`id`);--> statement-breakpoint
CREATE TRIGGER `status_changes_no_update` BEFORE UPDATE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `status_changes_no_delete` BEFORE DELETE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
--> statement-breakpoint
-- The texts of the accounts that are there, from the beginning of each word after a space.
WITH RECURSIVE `given` (`text`, `record_id`) AS (
	SELECT `name`, `id` FROM `accounts`
	UNION ALL SELECT `account_external_id`, `id` FROM `accounts` WHERE `account_external_id` IS NOT NULL
	UNION ALL SELECT `customer_name`, `id` FROM `accounts` WHERE `customer_name` IS NOT NULL
	UNION ALL SELECT `customer_external_id`, `id` FROM `accounts` WHERE `customer_external_id` IS NOT NULL
	UNION ALL SELECT `address`, `account_id` FROM `addresses`
), `words` (`text`, `record_id`) AS (
	SELECT lower(trim(`text`)), `record_id` FROM `given`
	UNION SELECT ltrim(substr(`text`, instr(`text`, ' ') + 1)), `record_id` FROM `words` WHERE instr(`text`, ' ') > 0
)
INSERT OR IGNORE INTO `search_texts` (`text`, `record_id`) SELECT substr(`text`, 1, 100), `record_id` FROM `words` WHERE `text` <> '';
