CREATE TABLE "additional_information" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"value" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "aml_checks" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"custodian_bank_id" text collate "C" NOT NULL,
	"amount" text collate "C" NOT NULL,
	"currency" text collate "C" NOT NULL,
	"sealed_customer" text collate "C" NOT NULL,
	"score" bigint NOT NULL,
	"risk_level" text collate "C" NOT NULL,
	"reasons" text collate "C" NOT NULL,
	"rules" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"account_number" text collate "C" NOT NULL,
	"routing_number" text collate "C" NOT NULL,
	"account_type" text collate "C" NOT NULL,
	"currency" text collate "C" NOT NULL,
	"custodian_bank_id" text collate "C" NOT NULL,
	"custodian_bank_name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custodian_banks" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"search_name" text collate "C" NOT NULL,
	"country" text collate "C" NOT NULL,
	"services" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "document_parts" (
	"sha256" text collate "C" NOT NULL,
	"place" bigint NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "document_parts_sha256_place_pk" PRIMARY KEY("sha256","place")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"file_name" text collate "C" NOT NULL,
	"mime_type" text collate "C" NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text collate "C" NOT NULL,
	"uploaded_by" text collate "C",
	"uploaded_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"key_hash" text collate "C" NOT NULL,
	"sealed_key" text collate "C" NOT NULL,
	"addresses" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	"previous_until" bigint
);
--> statement-breakpoint
CREATE TABLE "handovers" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"due_at" bigint,
	"leased_until" bigint,
	"attempts" bigint NOT NULL,
	"last_error" text collate "C",
	"revision" bigint NOT NULL,
	"done_at" bigint
);
--> statement-breakpoint
CREATE TABLE "participants" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"search_name" text collate "C" NOT NULL,
	"email" text collate "C" NOT NULL,
	"country" text collate "C" NOT NULL,
	"business_type" text collate "C" NOT NULL,
	"registration_number" text collate "C" NOT NULL,
	"address" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"approved_at" bigint,
	"registered_by" text collate "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_payments" (
	"custodian_bank_id" text collate "C" NOT NULL,
	"payment_id" text collate "C" NOT NULL,
	"direction" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"currency" text collate "C" NOT NULL,
	"amount" text collate "C" NOT NULL,
	"amount_order" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "bank_payments_custodian_bank_id_payment_id_pk" PRIMARY KEY("custodian_bank_id","payment_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"type" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"amount" text collate "C" NOT NULL,
	"currency" text collate "C" NOT NULL,
	"from" text collate "C",
	"to" text collate "C",
	"from_participant_id" text collate "C",
	"to_participant_id" text collate "C",
	"reference" text collate "C" NOT NULL,
	"description" text collate "C",
	"transaction_hash" text collate "C",
	"search_text" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"epoch" bigint NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"participant_id" text collate "C" NOT NULL,
	"from" text collate "C" NOT NULL,
	"to" text collate "C" NOT NULL,
	"comments" text collate "C",
	"changed_by" text collate "C",
	"changed_by_kind" text collate "C",
	"changed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "arrivals" (
	"number" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "arrivals_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"follower" text collate "C" NOT NULL,
	"rows" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"seq" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "changes_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text collate "C" NOT NULL,
	"record_id" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"seq" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "idempotency_keys_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"scope" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"request_hash" text collate "C" NOT NULL,
	"status" bigint NOT NULL,
	"body" text collate "C" NOT NULL,
	"headers" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"received_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"alive_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"holder" text collate "C" NOT NULL,
	"fence" bigint NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meta" (
	"key" text collate "C" PRIMARY KEY NOT NULL,
	"value" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"seq" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "outbox_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"envelope" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"instance" text collate "C" DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replicas" (
	"kind" text collate "C" PRIMARY KEY NOT NULL,
	"epoch" bigint NOT NULL,
	"after" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "additional_information_key" ON "additional_information" USING btree ("participant_id","key");--> statement-breakpoint
CREATE INDEX "aml_checks_participant" ON "aml_checks" USING btree ("participant_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_number" ON "bank_accounts" USING btree ("routing_number","account_number","currency");--> statement-breakpoint
CREATE INDEX "bank_accounts_participant" ON "bank_accounts" USING btree ("participant_id","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_custodian_bank" ON "bank_accounts" USING btree ("custodian_bank_id","participant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "custodian_banks_name" ON "custodian_banks" USING btree ("search_name") WHERE "custodian_banks"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_content" ON "documents" USING btree ("participant_id","type","sha256");--> statement-breakpoint
CREATE INDEX "documents_participant" ON "documents" USING btree ("participant_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_participant" ON "api_keys" USING btree ("participant_id","id");--> statement-breakpoint
CREATE INDEX "handovers_due_at" ON "handovers" USING btree ("due_at") WHERE "handovers"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "handovers_pending" ON "handovers" USING btree ("due_at") WHERE "handovers"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "participants_status" ON "participants" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "participants_search_name" ON "participants" USING btree ("search_name");--> statement-breakpoint
CREATE INDEX "participants_registration_number" ON "participants" USING btree ("registration_number");--> statement-breakpoint
CREATE INDEX "bank_payments_payment" ON "bank_payments" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "bank_payments_created" ON "bank_payments" USING btree ("custodian_bank_id","created_at","payment_id","status","type");--> statement-breakpoint
CREATE INDEX "bank_payments_updated" ON "bank_payments" USING btree ("custodian_bank_id","updated_at","payment_id","status","type");--> statement-breakpoint
CREATE INDEX "bank_payments_amount" ON "bank_payments" USING btree ("custodian_bank_id","amount_order","payment_id","status","type");--> statement-breakpoint
CREATE INDEX "bank_payments_status" ON "bank_payments" USING btree ("custodian_bank_id","status","payment_id","type");--> statement-breakpoint
CREATE INDEX "bank_payments_type" ON "bank_payments" USING btree ("custodian_bank_id","type","payment_id","status");--> statement-breakpoint
CREATE INDEX "bank_payments_balance" ON "bank_payments" USING btree ("custodian_bank_id","payment_id","status","direction","currency","amount");--> statement-breakpoint
CREATE INDEX "payments_from_participant" ON "payments" USING btree ("from_participant_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_to_participant" ON "payments" USING btree ("to_participant_id","created_at");--> statement-breakpoint
CREATE INDEX "reviews_participant" ON "reviews" USING btree ("participant_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "changes_record" ON "changes" USING btree ("kind","record_id");--> statement-breakpoint
CREATE INDEX "changes_kind" ON "changes" USING btree ("kind","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_key" ON "idempotency_keys" USING btree ("scope","key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires_at" ON "idempotency_keys" USING btree ("expires_at") WHERE "idempotency_keys"."expires_at" is not null;