-- What a search looks into, of the users that there are. Folds ASCII alone; the rest follows with a user's next change.
UPDATE `users` SET `search_text` = lower(`name` || ' ' || `email`);
