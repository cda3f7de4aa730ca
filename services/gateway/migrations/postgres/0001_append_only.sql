-- What was recorded stays as it was.
CREATE FUNCTION "audit_trail_stay"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'The audit trail is append-only'; END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_trail_stay" BEFORE UPDATE OR DELETE ON "audit_trail" FOR EACH ROW EXECUTE FUNCTION "audit_trail_stay"();
--> statement-breakpoint
CREATE TRIGGER "audit_trail_last" BEFORE TRUNCATE ON "audit_trail" EXECUTE FUNCTION "audit_trail_stay"();
