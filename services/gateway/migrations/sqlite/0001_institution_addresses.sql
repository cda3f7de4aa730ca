CREATE TABLE `institution_addresses` (
	`participant_id` text PRIMARY KEY NOT NULL,
	`addresses` text NOT NULL,
	`changed_by` text NOT NULL,
	`changed_at` integer NOT NULL
);
