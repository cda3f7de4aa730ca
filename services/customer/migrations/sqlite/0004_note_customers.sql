-- Every customer that is there counts as changed once, for the replicas of other services.
INSERT INTO `changes` (`kind`, `record_id`) SELECT 'customer', `id` FROM `customers` ORDER BY `id`;
