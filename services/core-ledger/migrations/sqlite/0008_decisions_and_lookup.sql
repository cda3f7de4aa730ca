CREATE TABLE `decisions` (
	`transaction_id` text NOT NULL,
	`number` integer NOT NULL,
	`decision` text NOT NULL,
	`actor_kind` text,
	`actor_id` text,
	`note` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`transaction_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `transaction_keys` (
	`key` integer NOT NULL,
	`transaction_id` text NOT NULL,
	PRIMARY KEY(`key`, `transaction_id`)
);
--> statement-breakpoint
DROP INDEX `transactions_open`;--> statement-breakpoint
CREATE INDEX `transactions_open` ON `transactions` (`status`,`id`,`type`) WHERE "transactions"."status" = 'PENDING' or "transactions"."status" = 'FROZEN' or "transactions"."status" = 'APPROVED' or "transactions"."status" = 'FAILED';