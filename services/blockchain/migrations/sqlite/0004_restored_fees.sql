CREATE TABLE `untold_fees` (
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`order_id` text NOT NULL,
	`block` integer NOT NULL,
	PRIMARY KEY(`network`, `tx_hash`)
);
--> statement-breakpoint
CREATE INDEX `untold_fees_block` ON `untold_fees` (`network`,`block`);--> statement-breakpoint
DROP INDEX `sends_due`;--> statement-breakpoint
CREATE INDEX `sends_due` ON `sends` (`network`,`sender`,`due_at`,`nonce`);