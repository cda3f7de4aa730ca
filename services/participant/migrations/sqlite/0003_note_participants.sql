-- Every participant that callers have seen counts as changed once, for the replicas of other services.
INSERT INTO `changes` (`kind`, `record_id`) SELECT 'participant', `id` FROM `participants` WHERE `live` = 1 ORDER BY `id`;--> statement-breakpoint
-- Kept answers are encrypted from now on; those before held no key, and nothing that could be replayed whole.
DELETE FROM `idempotency_keys`;
