CREATE TABLE `signatures` (
	`order_id` text NOT NULL,
	`number` integer NOT NULL,
	`network` text NOT NULL,
	`sender` text NOT NULL,
	`nonce` integer,
	`blockhash` text,
	`tx_hash` text NOT NULL,
	`signed_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `number`)
);
--> statement-breakpoint
ALTER TABLE `orders` ADD `waits_for` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `lost_at` integer;--> statement-breakpoint
CREATE INDEX `orders_lost` ON `orders` (`id`) WHERE "orders"."lost_at" is not null;