CREATE TABLE `listed_name_words` (
	`list_id` integer NOT NULL,
	`word` text NOT NULL,
	`name_seq` integer NOT NULL,
	PRIMARY KEY(`list_id`, `word`, `name_seq`)
);
--> statement-breakpoint
CREATE TABLE `listed_names` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`list_id` integer NOT NULL,
	`entry_id` text NOT NULL,
	`name` text NOT NULL,
	`words` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listed_names_list` ON `listed_names` (`list_id`,`seq`);--> statement-breakpoint
ALTER TABLE `lists` ADD `names` integer DEFAULT 0 NOT NULL;