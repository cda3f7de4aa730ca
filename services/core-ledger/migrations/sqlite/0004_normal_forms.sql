-- What is stored takes the normal forms of src/networks/networks.ts. The network of a transaction stays as it is: the
-- ledger accounts of its journal entries are named after it.
UPDATE `assets` SET `network` = lower(trim(`network`, ' ' || char(9) || char(10) || char(13)));
--> statement-breakpoint
UPDATE `transactions` SET `asset_code` = `a`.`code`, `contract_address` = `a`.`contract_address`, `decimals` = `a`.`decimals`
FROM `assets` AS `a` WHERE `a`.`id` = `transactions`.`asset_id`;
--> statement-breakpoint
UPDATE `transactions` SET `tx_hash` = CASE
	WHEN `f`.`family` = 'solana' OR NOT `f`.`hex` THEN trim(`tx_hash`)
	WHEN `f`.`family` IN ('bitcoin', 'tron') THEN `f`.`digits`
	ELSE '0x' || `f`.`digits`
END
FROM (
	SELECT
		`id`,
		`digits`,
		CASE
			WHEN `name` = 'solana' OR `name` GLOB 'solana[^a-z]*' THEN 'solana'
			WHEN `name` = 'bitcoin' OR `name` GLOB 'bitcoin[^a-z]*' THEN 'bitcoin'
			WHEN `name` = 'tron' OR `name` GLOB 'tron[^a-z]*' THEN 'tron'
			ELSE 'other'
		END AS `family`,
		`digits` <> '' AND `digits` NOT GLOB '*[^0-9a-f]*' AND (`prefixed` OR length(`digits`) = 64) AS `hex`
	FROM (
		SELECT
			`id`,
			lower(trim(`network`, ' ' || char(9) || char(10) || char(13))) AS `name`,
			lower(`tx_hash`) GLOB '0x*' AS `prefixed`,
			CASE WHEN lower(`tx_hash`) GLOB '0x*' THEN substr(lower(trim(`tx_hash`)), 3) ELSE lower(trim(`tx_hash`)) END AS `digits`
		FROM `transactions` WHERE `tx_hash` IS NOT NULL
	)
) AS `f` WHERE `f`.`id` = `transactions`.`id`;
--> statement-breakpoint
-- Of deposits that were recorded twice under two forms of one transfer the first has its key; the others keep their own.
UPDATE `transactions` SET `transfer_key` = CASE `k`.`copy` WHEN 1 THEN `k`.`key` ELSE `k`.`key` || ' copy ' || `k`.`id` END
FROM (
	SELECT `id`, `key`, row_number() OVER (PARTITION BY `key` ORDER BY `id`) AS `copy`
	FROM (
		SELECT `id`, lower(trim(`network`, ' ' || char(9) || char(10) || char(13))) || ' ' || `tx_hash` || ' ' || `log_index` AS `key`
		FROM `transactions` WHERE `log_index` IS NOT NULL
	)
) AS `k` WHERE `k`.`id` = `transactions`.`id`;
--> statement-breakpoint
-- What was tried before may have been paid.
UPDATE `work` SET `ordered_at` = `created_at` WHERE `lane` = 'chain' AND (`attempts` > 0 OR `accepted_at` IS NOT NULL);
--> statement-breakpoint
-- A withdrawal that failed before may have failed by a refusal that was not recorded: each is asked about once more.
INSERT INTO `failed_withdrawals` (`transaction_id`, `due_at`)
SELECT `id`, `updated_at` FROM `transactions` WHERE `type` = 'WITHDRAWAL' AND `status` = 'FAILED';
