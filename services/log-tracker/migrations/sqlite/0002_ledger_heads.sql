CREATE TABLE `ledger_heads` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`books` text NOT NULL,
	`last_seq` integer NOT NULL,
	`entries` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_heads_books_unique` ON `ledger_heads` (`books`);