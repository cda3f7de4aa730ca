import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'
import { transactionTypes } from '../movements/states'

/** GET /transactions/:id/execution */
export const Execution = t.Object(
  {
    lane: about('ledger: done here. chain: by the wallet service', oneOf(['ledger', 'chain'])),
    queuedAt: about('When it was approved', timestamp()),
    attempts: about('How many since its last step forward', t.Integer()),
    lastError: about('Why the last attempt did not carry it out; null where none failed', nullable(t.String())),
    nextAttemptAt: about('When it is tried next', timestamp()),
    underWayUntil: about('When the lease of the running attempt ends; null while there is none', nullable(timestamp())),
    orderedAt: about(
      'When the wallet service was asked for it first: from then on it may be paid',
      nullable(timestamp()),
    ),
    acceptedAt: about('When the wallet service accepted it', nullable(timestamp())),
  },
  { title: 'TransactionExecution' },
)
export type Execution = Static<typeof Execution>

/** GET /transactions/stuck */
export const StuckQuery = t.Object({
  after: keysetQuery.after,
  limit: queryInteger({ minimum: 0, maximum: 100, default: 50 }),
})
export type StuckQuery = Static<typeof StuckQuery>

/** An approved transaction that is late, or a failed withdrawal that was paid after all. */
export const Stuck = t.Object(
  {
    id: uuid(),
    type: about('What kind of movement it is', oneOf(transactionTypes)),
    status: about(
      'APPROVED: it is late. FAILED: the wallet service has paid it after all',
      oneOf(['APPROVED', 'FAILED']),
    ),
    assetCode: t.String(),
    network: t.String(),
    accountId: t.String(),
    amount: t.String(),
    reason: about('What keeps it; null where it only waits for its network', nullable(t.String())),
    attempts: about('How many since its last step forward', t.Integer()),
    queuedAt: about('When it was approved; of a failed one, when it was created', timestamp()),
    nextAttemptAt: about('Null for a failed one: a person must settle it', nullable(timestamp())),
  },
  { title: 'StuckTransaction' },
)
export type Stuck = Static<typeof Stuck>
