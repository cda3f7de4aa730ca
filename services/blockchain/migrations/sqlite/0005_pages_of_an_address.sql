DROP INDEX `transfers_from`;--> statement-breakpoint
DROP INDEX `transfers_to`;--> statement-breakpoint
CREATE INDEX `transfers_unknown_tokens` ON `transfers` (`network`,`to_key`,`contract_address`) WHERE "transfers"."status" = 'unknown_token';--> statement-breakpoint
CREATE INDEX `transfers_from` ON `transfers` (`from_key`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `transfers_to` ON `transfers` (`to_key`,`at`,`id`);