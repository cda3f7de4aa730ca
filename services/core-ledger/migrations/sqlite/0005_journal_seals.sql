CREATE TABLE `journal_seals` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`form` integer NOT NULL,
	`last_seq` integer NOT NULL,
	`entries` integer NOT NULL,
	`root` text NOT NULL,
	`keys` integer NOT NULL,
	`last_key` integer NOT NULL,
	`keys_hash` text NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_seals_lastSeq_unique` ON `journal_seals` (`last_seq`);