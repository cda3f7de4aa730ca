/** What a service's statements may read whole, and why. */
export interface KnownPlans {
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

/** By service. The plans of one that is not listed are not checked. */
export const knownPlans = new Map<string, KnownPlans>([
  [
    'blockchain',
    {
      small: {
        tokens: 'The tokens of a deployment, which people register.',
        read_blocks: '300 of a network.',
      },
      rare: {
        'update "senders" set "next_nonce" = +?, "leased_until"': 'Once, after a restore.',
        'update "transfers" set "status" = +?, "decimals"': 'Once for each token, when it is registered.',
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
