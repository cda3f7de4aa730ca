DROP INDEX `customers_external_id`;--> statement-breakpoint
ALTER TABLE `customers` ADD `epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_external_id_epoch` ON `customers` (`external_id`,`epoch`);--> statement-breakpoint
ALTER TABLE `accounts` DROP COLUMN `version`;