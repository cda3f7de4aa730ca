import { getPendingTransactions, TransactionCreated } from '@bursar/contracts/core-ledger'
import { type Consumer, consumer } from '@bursar/http'
import { every, type Loop, receive } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { emitEnded } from '../jobs/end-job'
import { findJob } from '../jobs/jobs'
import { screenLedgerTransaction, watchCounterparty } from './screen-ledger-transaction'

/** Screens the core ledger's new transactions where that is this service's task, and watches their counterparties. */
export const transactionConsumers = (deps: SanctionsDeps): Consumer[] => [
  consumer(TransactionCreated, async (envelope) => {
    await receive(deps.store, envelope, async (tx) => {
      if (deps.config.screening === 'sanctions') await screenLedgerTransaction(tx, deps, envelope.data)
      else await watchCounterparty(tx, deps, envelope.data)
    })
  }),
]

const everyMs = 60_000
const pageSize = 100
/** Younger ones are on their way. */
const patienceMs = 30_000

/** Looks every minute for transactions that wait although they should not: an event was lost on the way here, or back. */
export const pendingTransactions = (deps: SanctionsDeps): Loop =>
  every(everyMs, () => screenPending(deps), { log: deps.log, name: 'The look for unscreened transactions', firstMs: 0 })

/** Makes the jobs that are missing, and says again how those ended whose transactions are still pending. */
export async function screenPending(deps: SanctionsDeps): Promise<void> {
  const { store, client, now } = deps
  for (let offset = 0; ; offset += pageSize) {
    const query = { status: 'PENDING', limit: String(pageSize), offset: String(offset) }
    const page = await client.call(getPendingTransactions, { query })
    const old = page.filter(({ createdAt }) => now().getTime() - Date.parse(createdAt) > patienceMs)
    for (const transaction of old) {
      await store.commit(async (tx) => {
        const job = await findJob(tx, { kind: 'ledger', externalId: transaction.id })
        if (!job) await screenLedgerTransaction(tx, deps, { ...transaction, participantId: null })
        else if (job.status !== 'pending') await emitEnded(tx, job, now())
      })
    }
    if (page.length < pageSize) return
  }
}
