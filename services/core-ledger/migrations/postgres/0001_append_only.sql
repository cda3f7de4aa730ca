-- What was recorded stays as it was.
CREATE FUNCTION "decisions_stay"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a decision is neither changed nor deleted'; END $$;
--> statement-breakpoint
CREATE TRIGGER "decisions_stay" BEFORE UPDATE OR DELETE ON "decisions" FOR EACH ROW EXECUTE FUNCTION "decisions_stay"();
--> statement-breakpoint
CREATE TRIGGER "decisions_last" BEFORE TRUNCATE ON "decisions" EXECUTE FUNCTION "decisions_stay"();
--> statement-breakpoint
CREATE FUNCTION "asset_terms_stay"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the terms of an asset are neither changed nor deleted'; END $$;
--> statement-breakpoint
CREATE TRIGGER "asset_terms_stay" BEFORE UPDATE OR DELETE ON "asset_terms" FOR EACH ROW EXECUTE FUNCTION "asset_terms_stay"();
--> statement-breakpoint
CREATE TRIGGER "asset_terms_last" BEFORE TRUNCATE ON "asset_terms" EXECUTE FUNCTION "asset_terms_stay"();
