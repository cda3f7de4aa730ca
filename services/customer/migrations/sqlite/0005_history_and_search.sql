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
CREATE INDEX `customers_status` ON `customers` (`status`,`id`);--> statement-breakpoint
CREATE TRIGGER `status_changes_no_update` BEFORE UPDATE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `status_changes_no_delete` BEFORE DELETE ON `status_changes` BEGIN SELECT RAISE(ABORT, 'status_changes is append-only'); END;
--> statement-breakpoint
-- The texts of the customers that are there, from the beginning of each word after a space.
WITH RECURSIVE `words` (`text`, `record_id`) AS (
	SELECT lower(trim(`external_id`)), `id` FROM `customers`
	UNION SELECT ltrim(substr(`text`, instr(`text`, ' ') + 1)), `record_id` FROM `words` WHERE instr(`text`, ' ') > 0
)
INSERT OR IGNORE INTO `search_texts` (`text`, `record_id`) SELECT substr(`text`, 1, 100), `record_id` FROM `words` WHERE `text` <> '';
