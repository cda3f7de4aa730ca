-- Blocks that were sealed before keep their form: their hashes cover the entries alone.
INSERT INTO `journal_seals` (`number`, `form`, `last_seq`, `entries`, `root`, `keys`, `last_key`, `keys_hash`, `hash`, `sealed_at`)
SELECT row_number() OVER (ORDER BY `last_seq`), 1, `last_seq`, `entries`, '', 0, 0, '', `hash`, `sealed_at` FROM `seals` ORDER BY `last_seq`;
