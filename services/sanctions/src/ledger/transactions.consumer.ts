import { getPendingTransactions, TransactionCreated, type TransactionState } from '@bursar/contracts/core-ledger'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { every, type Loop, receiveAll } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { emitEnded } from '../jobs/end-job'
import { findJob } from '../jobs/jobs'
import { readResults } from '../jobs/results'
import { screenLedgerTransactions, watchCounterparties } from './screen-ledger-transaction'

/** Screens the core ledger's new transactions, if this service is configured to, and watches their counterparties. */
export function transactionConsumers(deps: SanctionsDeps): Consumer[] {
  const act = deps.config.screening === 'sanctions' ? screenLedgerTransactions : watchCounterparties
  const take = receiveAll(
    deps.store,
    (envelope) => stateIn(envelope).id,
    async (tx, envelopes) => {
      await act(tx, deps, envelopes.map(stateIn))
      return envelopes
    },
  )
  return [
    consumer(TransactionCreated, async (envelope) => {
      await take(envelope)
    }),
  ]
}

const stateIn = ({ data }: Envelope) => data as TransactionState

const everyMs = 60_000
const pageSize = 100
/** Younger transactions may still be screened by their event. */
const patienceMs = 30_000

/** Looks every minute for transactions that wait without a job or verdict, because an event was lost. */
export const pendingTransactions = (deps: SanctionsDeps): Loop =>
  every(everyMs, (store) => screenPending({ ...deps, store }), {
    log: deps.log,
    name: 'Looking for unscreened transactions',
    firstMs: 0,
    alone: deps.store,
  })

/** Creates the missing jobs, and emits again the ends of jobs whose transactions are still pending. */
export async function screenPending(deps: SanctionsDeps): Promise<void> {
  const { store, client, now } = deps
  for (let offset = 0; ; offset += pageSize) {
    const query = { status: 'PENDING', limit: String(pageSize), offset: String(offset) }
    const page = await client.call(getPendingTransactions, { query })
    const old = page.filter(({ createdAt }) => now().getTime() - Date.parse(createdAt) > patienceMs)
    for (const transaction of old) {
      await store.commit(async (tx) => {
        const job = await findJob(tx, { kind: 'ledger', externalId: transaction.id })
        if (!job) await screenLedgerTransactions(tx, deps, [{ ...transaction, participantId: null }])
        else if (job.status !== 'pending') await emitEnded(tx, await readResults(tx, [job]), now())
      })
    }
    if (page.length < pageSize) return
  }
}
