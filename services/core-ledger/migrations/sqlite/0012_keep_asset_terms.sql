-- What assets are now is the first that is noted of them.
INSERT INTO `asset_terms` (`asset_id`, `code`, `decimals`, `network`, `contract_address`, `deleted_at`, `at`)
SELECT `id`, `code`, `decimals`, `network`, `contract_address`, `deleted_at`, `updated_at` FROM `assets` ORDER BY `id`;
--> statement-breakpoint
-- What was noted stays as it was.
CREATE TRIGGER `asset_terms_stay` BEFORE UPDATE ON `asset_terms` BEGIN SELECT RAISE(ABORT, 'the terms of an asset are not changed'); END;
--> statement-breakpoint
CREATE TRIGGER `asset_terms_last` BEFORE DELETE ON `asset_terms` BEGIN SELECT RAISE(ABORT, 'the terms of an asset are not deleted'); END;
