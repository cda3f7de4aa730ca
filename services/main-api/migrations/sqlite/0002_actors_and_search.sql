ALTER TABLE `reviews` ADD `changed_by_kind` text;--> statement-breakpoint
CREATE INDEX `participants_search_name` ON `participants` (`search_name`);--> statement-breakpoint
CREATE INDEX `participants_registration_number` ON `participants` (`registration_number`);