ALTER TABLE `accounts` ADD `participant_id` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sagas` ADD `leased_until` integer;--> statement-breakpoint
ALTER TABLE `sagas` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sagas` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `sagas_due_at` ON `sagas` (`due_at`) WHERE "sagas"."finished_at" is null;--> statement-breakpoint
ALTER TABLE `participants` DROP COLUMN `version`;