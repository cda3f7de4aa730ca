CREATE TABLE `list_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_subject` ON `jobs` ("subject" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `jobs_participant` ON `jobs` (`participant_id`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_failed` ON `jobs` (`id`) WHERE "jobs"."status" = 'failed';--> statement-breakpoint
CREATE INDEX `jobs_sanctioned` ON `jobs` (`id`) WHERE "jobs"."result" ->> '$.sanctioned' = 1;