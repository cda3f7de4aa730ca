ALTER TABLE `orders` ADD `disowned_at` integer;--> statement-breakpoint
CREATE INDEX `orders_disowned` ON `orders` (`id`) WHERE "orders"."disowned_at" is not null;