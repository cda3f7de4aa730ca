-- Every account that is there counts as changed once, for the replicas of other services.
INSERT INTO `changes` (`kind`, `record_id`) SELECT 'account', `id` FROM `accounts` ORDER BY `id`;
