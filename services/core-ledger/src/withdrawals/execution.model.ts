import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'
import { transactionTypes } from '../movements/states'

/** GET /transactions/:id/execution */
export const Execution = t.Object(
  {
    lane: about('ledger: executed here. chain: executed by the wallet service', oneOf(['ledger', 'chain'])),
    queuedAt: about('When it was approved', timestamp()),
    attempts: about('The number of attempts since its last progress', t.Integer()),
    lastError: about('Why the last attempt failed; null if none did', nullable(t.String())),
    nextAttemptAt: about('The time of the next attempt', timestamp()),
    underWayUntil: about('When the lease of the running attempt ends; null while there is none', nullable(timestamp())),
    orderedAt: about(
      'When it was first ordered from the wallet service: from then on it may be paid',
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
    type: about('The type of the transaction', oneOf(transactionTypes)),
    status: about(
      'APPROVED: it is late. FAILED: the wallet service has paid it after all',
      oneOf(['APPROVED', 'FAILED']),
    ),
    assetCode: t.String(),
    network: t.String(),
    accountId: t.String(),
    amount: t.String(),
    reason: about('The obstacle; null if it only waits for its network', nullable(t.String())),
    attempts: about('The number of attempts since its last progress', t.Integer()),
    queuedAt: about('When it was approved; for a failed one, when it was created', timestamp()),
    nextAttemptAt: about('Null for a failed one: a person must settle it', nullable(timestamp())),
  },
  { title: 'StuckTransaction' },
)
export type Stuck = Static<typeof Stuck>
