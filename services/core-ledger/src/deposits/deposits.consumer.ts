import { mostInBatch } from '@bursar/contracts/batch'
import { type ConfirmedDeposit, DepositConfirmed, DepositReversed, depositChanges } from '@bursar/contracts/blockchain'
import { type Consumer, consumer, reconciling } from '@bursar/http'
import {
  type Claimed,
  every,
  type Replica,
  receive,
  replicaPlace,
  sideBySide,
  stepwise,
  type Tx,
  type Worker,
  workQueue,
} from '@bursar/store'
import { askForAccount } from '../accounts/require-account'
import type { LedgerDeps } from '../deps'
import { forgetUnmatched, recordConfirmed } from './record-confirmed'
import { isOutdated, setAsideOf } from './reversals'
import { unmatchedDeposits } from './unmatched-deposits.table'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'books' | 'now'>

/** Records deposits confirmed by the blockchain service, and their reversals. */
export const depositConsumers = (deps: Deps): Consumer[] =>
  [DepositConfirmed, DepositReversed].map((event) =>
    consumer(event, async (envelope) => {
      // Reconciliation fetches them once money may move again.
      if (deps.books.areClosed()) return
      const { txHash, network, accountId } = envelope.data
      if (event === DepositConfirmed) await askForAccount(deps, accountId)
      else deps.log.error({ txHash, network, accountId }, 'A deposit was taken off its chain')
      await receive(deps.store, envelope, async (tx) => {
        if (!(await isOutdated(tx, envelope.data))) await recordConfirmed(tx, envelope.data, deps.now())
      })
    }),
  )

const everyMs = 60_000

/** Deposits that were set aside are retried every minute: their asset or account may be known by now. */
const unmatchedQueue = workQueue(unmatchedDeposits, { id: 'id', leaseMs: everyMs, backoff: stepwise([everyMs]) })
type Unmatched = Claimed<typeof unmatchedDeposits.$inferSelect>

/** Fetch deposits whose event was lost from the blockchain service, and retry those that were set aside. */
export const depositWorkers = (deps: Deps): Worker[] => [
  reconciling(deps, listedDeposits(deps)),
  every(everyMs, () => retryUnmatched(deps), { log: deps.log, name: 'The retry of unmatched deposits', firstMs: 0 }),
]

/** The epoch of the blockchain service's list. */
interface Mark {
  epoch: number
}
interface Listed extends Mark {
  deposit: ConfirmedDeposit
}

/**
 * Deposits that the blockchain service no longer lists are kept. A new epoch of its list is believed. Within an epoch
 * the list may have been read before an event that arrived first: outdated states are left to the next pull, except
 * where a clock that was ahead makes them look outdated.
 */
export function listedDeposits({ books, now }: Deps) {
  const kind = 'deposit'
  const record = async (tx: Tx, { deposit, epoch }: Listed) => {
    books.requireOpen()
    const isSameEpoch = (await replicaPlace(tx, kind)).epoch === epoch
    if (isSameEpoch && (await isOutdated(tx, deposit, now()))) return
    await recordConfirmed(tx, deposit, now())
  }
  const replica: Replica<Listed> = { kind, upsert: record, restate: record, deleteUnstated: async () => {} }
  return {
    changes: depositChanges,
    replica,
    toRow: (deposit: ConfirmedDeposit, { epoch }: Mark) => ({ deposit, epoch }),
  }
}

/** Retries all due deposits. */
export async function retryUnmatched(deps: Deps, now = deps.now()): Promise<void> {
  for (let rows = await claim(deps, now); rows.length > 0; rows = await claim(deps, now)) {
    await sideBySide(rows, (row) => retry(deps, row, now))
  }
}

const claim = async ({ store, books }: Deps, now: Date): Promise<Unmatched[]> =>
  books.areClosed() ? [] : await unmatchedQueue.claim(store, { now, limit: mostInBatch })

async function retry(deps: Deps, row: Unmatched, now: Date): Promise<void> {
  // If that fails, the deposit stays set aside.
  await askForAccount(deps, row.deposit.accountId)
  await deps.store.commit(async (tx) => {
    // It may have been reversed, or confirmed again, since it was claimed.
    const deposit = await setAsideOf(tx, row.id)
    if (!deposit) return
    if (await isOutdated(tx, deposit, now)) return await forgetUnmatched(tx, row.id)
    const error = await recordConfirmed(tx, deposit, now)
    if (error !== null) await unmatchedQueue.reschedule(tx, row, { now, error })
  })
}
