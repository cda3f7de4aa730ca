-- What was recorded stays as it was.
CREATE FUNCTION "status_changes_stay"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'status_changes is append-only'; END $$;
--> statement-breakpoint
CREATE TRIGGER "status_changes_stay" BEFORE UPDATE OR DELETE ON "status_changes" FOR EACH ROW EXECUTE FUNCTION "status_changes_stay"();
--> statement-breakpoint
CREATE TRIGGER "status_changes_last" BEFORE TRUNCATE ON "status_changes" EXECUTE FUNCTION "status_changes_stay"();
