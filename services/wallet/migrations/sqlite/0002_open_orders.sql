CREATE INDEX `orders_open` ON `orders` (`id`,`network`) WHERE "orders"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `wallets_address` ON `wallets` (`address`,`id`);