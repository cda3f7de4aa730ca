-- What came from this deployment was no deposit, whose status was `internal`. It stays none: such transfers are deposits from now on.
UPDATE `transfers` SET `status` = 'earlier' WHERE `status` = 'internal';
