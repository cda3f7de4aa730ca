CREATE TABLE `participants` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at` integer,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
