CREATE TABLE `copies` (
	`id` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`epoch` integer NOT NULL,
	`version` integer NOT NULL
);
