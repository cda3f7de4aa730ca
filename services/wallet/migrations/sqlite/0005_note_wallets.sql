-- Every wallet that is there counts as changed once, for the replicas of other services.
INSERT INTO `changes` (`kind`, `record_id`) SELECT 'wallet', `id` FROM `wallets` ORDER BY `id`;
