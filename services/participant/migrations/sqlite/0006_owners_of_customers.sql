-- Every customer of a participant counts as owned once, for the replicas of other services.
INSERT INTO `changes` (`kind`, `record_id`) SELECT 'customer-owner', `customer_id` FROM `members` WHERE `participant_id` IS NOT NULL ORDER BY `customer_id`;
