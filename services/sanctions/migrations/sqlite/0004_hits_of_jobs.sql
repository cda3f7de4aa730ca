DROP INDEX `jobs_subject`;--> statement-breakpoint
DROP INDEX `jobs_sanctioned`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `sanctioned` integer;--> statement-breakpoint
UPDATE `jobs` SET `sanctioned` = `result` ->> '$.sanctioned' WHERE `result` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_subject_folded` ON `jobs` (lower("subject"),`id`);--> statement-breakpoint
CREATE INDEX `jobs_hits` ON `jobs` (`id`) WHERE "jobs"."sanctioned";