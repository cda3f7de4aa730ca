-- What a withdrawal touches in the core ledger, with the same columns and indexes, in PostgreSQL's own types.
-- For 5,000 accounts.
CREATE TABLE customers (id uuid PRIMARY KEY, status text NOT NULL, version int NOT NULL);
CREATE TABLE accounts (id uuid PRIMARY KEY, customer_id uuid, type text NOT NULL, status text NOT NULL, version int NOT NULL);
CREATE INDEX accounts_customer ON accounts (customer_id);
CREATE TABLE assets (
  id uuid PRIMARY KEY, code text NOT NULL, name text NOT NULL, network text NOT NULL, contract_address text,
  decimals int NOT NULL, deleted_at timestamptz
);
CREATE TABLE balances (
  account_id uuid NOT NULL, asset_id uuid NOT NULL, available numeric NOT NULL, frozen numeric NOT NULL,
  PRIMARY KEY (account_id, asset_id)
) WITH (fillfactor = 50); -- Room for updates in place.
CREATE TABLE transactions (
  id uuid PRIMARY KEY, customer_id uuid NOT NULL, account_id uuid NOT NULL, to_account_id uuid, asset_id uuid NOT NULL,
  type text NOT NULL, status text NOT NULL, amount numeric NOT NULL, network text NOT NULL, asset_code text NOT NULL,
  contract_address text, decimals int NOT NULL, source_address text, destination_address text, reference text,
  tx_hash text, log_index int, transfer_key text, participant_id text, screening_approved boolean, screening_data json,
  rejection_reason text, failure_reason text, phases json, created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL, executed_at timestamptz
);
CREATE INDEX transactions_account ON transactions (account_id, id);
CREATE INDEX transactions_open ON transactions (status, id) WHERE status IN ('PENDING', 'FROZEN', 'APPROVED');
CREATE UNIQUE INDEX transactions_deposit ON transactions (transfer_key) WHERE transfer_key IS NOT NULL;
CREATE TABLE journal (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transaction_id uuid NOT NULL, kind text NOT NULL,
  asset_id uuid NOT NULL, debit text NOT NULL, credit text NOT NULL, amount numeric NOT NULL, created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX journal_transaction ON journal (transaction_id, kind);
CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id uuid NOT NULL, name text NOT NULL, envelope text NOT NULL,
  created_at timestamptz NOT NULL
);

INSERT INTO assets VALUES ('01900000-0000-7000-8000-000000000000', 'USDX', 'A dollar', 'testnet', NULL, 6, NULL);
INSERT INTO customers
  SELECT ('01900002-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'active', 1 FROM generate_series(0, 4999) i;
INSERT INTO accounts
  SELECT ('01900001-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
    ('01900002-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'STABLECOINS', 'active', 1
  FROM generate_series(0, 4999) i;
INSERT INTO balances
  SELECT id, '01900000-0000-7000-8000-000000000000', 1000000000000000, 0 FROM accounts;

-- UUIDs in the order of time: random ones would cost PostgreSQL a page of each index for each row.
CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- The withdrawal in one call, as JSON: the checks, the hold, the journal entry and the event.
CREATE FUNCTION withdraw(account uuid, asset uuid, on_network text, amount numeric, destination text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  terms record;
  held balances;
  id uuid := new_id();
  event uuid := new_id();
  at timestamptz := clock_timestamp();
  at_text text := to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  units numeric;
BEGIN
  SELECT a.status, a.customer_id, c.status AS customer_status, s.code, s.decimals, s.network, s.contract_address INTO terms
    FROM accounts a JOIN customers c ON c.id = a.customer_id JOIN assets s ON s.id = asset AND s.deleted_at IS NULL
    WHERE a.id = account;
  IF NOT FOUND THEN RAISE 'not found'; END IF;
  IF terms.status <> 'active' OR terms.customer_status <> 'active' THEN RAISE 'not active'; END IF;
  IF terms.network <> on_network THEN RAISE 'another network'; END IF;
  units := trunc(amount * 10 ^ terms.decimals);
  UPDATE balances b SET available = available - units, frozen = frozen + units
    WHERE b.account_id = account AND b.asset_id = asset AND available >= units RETURNING * INTO held;
  IF NOT FOUND THEN RAISE 'insufficient balance'; END IF;
  INSERT INTO transactions (id, customer_id, account_id, asset_id, type, status, amount, network, asset_code,
      contract_address, decimals, destination_address, created_at, updated_at)
    VALUES (id, terms.customer_id, account, asset, 'WITHDRAWAL', 'PENDING', units, on_network, terms.code,
      terms.contract_address, terms.decimals, destination, at, at);
  INSERT INTO journal (transaction_id, kind, asset_id, debit, credit, amount, created_at)
    VALUES (id, 'hold', asset, 'available:' || account, 'frozen:' || account, units, at);
  INSERT INTO outbox (event_id, name, envelope, created_at)
    VALUES (event, 'core-ledger.transaction.created', json_build_object('id', event,
      'name', 'core-ledger.transaction.created', 'type', 'core-ledger.transaction.created', 'timestamp', at_text,
      'requestId', gen_random_uuid(), 'service', 'core-ledger', 'data', json_build_object('v', 1, 'id', id,
        'type', 'WITHDRAWAL', 'from', NULL, 'status', 'PENDING', 'reason', NULL, 'amount', amount::text,
        'assetId', asset, 'assetCode', terms.code, 'assetDecimals', terms.decimals, 'network', on_network,
        'customerId', terms.customer_id, 'accountId', account, 'toAccountId', NULL, 'sourceAddress', NULL,
        'destinationAddress', destination, 'txHash', NULL, 'reference', NULL, 'participantId', NULL,
        'phases', json_build_array(
          json_build_object('name', 'created', 'status', 'COMPLETED', 'startedAt', at_text, 'completedAt', at_text, 'detail', NULL),
          json_build_object('name', 'screening', 'status', 'IN_PROGRESS', 'startedAt', at_text, 'completedAt', NULL, 'detail', NULL)),
        'at', at_text))::text, at);
  RETURN json_build_object('id', id, 'customerId', terms.customer_id, 'accountId', account, 'assetId', asset,
    'type', 'WITHDRAWAL', 'status', 'PENDING', 'amount', amount::text, 'network', on_network, 'sourceAddress', NULL,
    'destinationAddress', destination, 'reference', NULL, 'txHash', NULL, 'screeningData', NULL, 'createdAt', at_text,
    'updatedAt', at_text);
END $$;
