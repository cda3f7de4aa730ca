/** What a service's statements may read whole, and why. */
interface KnownPlans {
  /** Tables that do not grow with what the service does. */
  small: Record<string, string>
  /** Statements, by a part of their text. */
  rare?: Record<string, string>
}

/** Of packages/store, in each service. */
export const ofStore: KnownPlans = {
  small: {},
  rare: {
    'select count(*) from "outbox"': 'Once, at the start; published events stay for ten seconds.',
    '"epoch" <> +?': 'After a whole pull of a replica, which reads every record anyway.',
  },
}

/** By service, all of them. */
export const knownPlans = new Map<string, KnownPlans>([
  [
    'core-ledger',
    {
      small: {
        assets: 'The assets of a deployment, which people register.',
        asset_terms: 'Their terms, which people change.',
        activated_lists: 'One row for each list that was in use.',
        listed_addresses: 'Addresses that a list has caught.',
        held_institutions: 'The institutions that are paused or deleted.',
        participants: 'The institutions of a deployment.',
        pfis: 'The same.',
        holdings: 'A sum for each asset, network and type of account.',
        system_balances: 'A sum for each asset, and for each network of it.',
        daily_totals: 'A few sums for each day.',
        shortfalls: 'What is missing on a chain at this time.',
        unmatched_deposits: 'Deposits that are set aside until somebody settles them.',
        failed_withdrawals: 'Until they have been asked about once more.',
        work: 'What is approved and not carried out yet.',
        price_changes: 'Those of the last days.',
      },
      rare: {
        'where "accounts"."type" = +?': 'The portfolios, each ten minutes: they are compared with their chains.',
        'where ("accounts"."type" = +? and "transactions"':
          'The same: of their payments only few are open or returned.',
        'from "balances"': 'The audit, which reads all balances in parts.',
      },
    },
  ],
  ['sanctions', { small: { lists: 'The lists that were in use.' } }],
  ['notification', { small: {} }],
  ['account', { small: {} }],
  ['customer', { small: {} }],
  ['participant', { small: {} }],
  [
    'webhook',
    {
      small: {},
      rare: {
        'inner join "targets" on "targets"."id" = "endpoints"."id" where':
          'When an institution has changed: what waits for those that have ended. Each has a few endpoints.',
      },
    },
  ],
  ['gateway', { small: {} }],
  [
    'main-api',
    {
      small: { participants: 'The banks of a deployment.' },
      rare: {
        '"bank_payments"."payment_id" not in': 'After a whole pull of the payments, which reads every one anyway.',
      },
    },
  ],
  [
    'identity-manager',
    {
      small: {
        users: 'The people who log in.',
        signing_keys: 'One for each rotation.',
        attempts: 'Of a subject only those of the last minutes.',
        sessions: 'Those that have ended are deleted; read whole for the users of institutions that have ended.',
      },
    },
  ],
  [
    'quote',
    {
      small: { assets: 'The assets of a deployment, which people register.' },
      rare: {
        'from "rates" where +"rates"."asset_id" in': 'A page of the newest, whose assets are many.',
        'from "rates" where +"rates"."timestamp" between': 'A page in its order, when all rates are of that time.',
      },
    },
  ],
  [
    'message',
    {
      small: {},
      rare: { '"bytes" from "messages" order by "messages"."id" desc limit': 'A search reads the newest messages.' },
    },
  ],
  [
    'transaction-manager',
    {
      small: {
        pfis: 'The banks of a deployment.',
        uncounted_moves: 'Moves that are not in the counts yet, which are counted each few seconds.',
      },
      rare: {
        'select "id" from "payments"':
          'A page, by the plan that the filters ask for: held by the lists at a million rows.',
        'select "id" from (select "id", "type", "status"': 'The same: a filter that many rows pass is read in windows.',
      },
    },
  ],
  [
    'log-tracker',
    {
      small: {
        log_series: 'Some hundred: by service, event type and status.',
        time_blocks: 'One for some thousand messages; they tell where the others are.',
      },
      rare: { 'order by "log_messages"."request_id"': 'A page in the order of this index, from its beginning or end.' },
    },
  ],
  [
    'blockchain',
    {
      small: {
        tokens: 'The tokens of a deployment, which people register.',
        read_blocks: '300 of a network.',
      },
      rare: {
        'update "senders" set "next_nonce" = +?, "leased_until"': 'Once, after a restore.',
        'update "transfers" set "status" = case': 'Once for each token, when it is registered.',
        '"movements"."confirmed_at" is not null and "movements"."reversed_at" is null':
          'After a reorganisation below the final blocks: an index would be written with each movement.',
      },
    },
  ],
  [
    'wallet',
    {
      small: { restore_hold: 'One row.', seeds: 'One row.' },
      rare: {
        'where ("signatures"."nonce" = +?':
          'For a transaction that may still be mined after a restore: an index would be written with each withdrawal.',
        'where ("signatures"."tx_hash" = +?':
          'For a transaction whose send was lost, or that is said to have paid: an index would be written with each withdrawal.',
        'where ("orders"."tx_hash" = +?': 'When an operator says what paid an order: as above.',
        'update "orders" set "due_at" = +?, "attempts"': 'When an operator ends the hold after a restore.',
      },
    },
  ],
])
