-- A balance changes all the time, and never its key: with room beside it the new row needs no entry in the index. Such entries keep
-- transactions of several instances from their end, for each has read the index nearby.
ALTER TABLE "balances" SET (fillfactor = 50);
