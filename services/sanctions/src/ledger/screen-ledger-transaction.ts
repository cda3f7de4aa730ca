import type { TransactionState } from '@bursar/contracts/core-ledger'
import type { ScreeningSource } from '@bursar/contracts/sanctions'
import type { Tx } from '@bursar/store'
import { screeningKey } from '../addresses/screening-key'
import type { SanctionsDeps } from '../deps'
import { endJobs, type Outcome } from '../jobs/end-job'
import { createLedgerJobs } from '../jobs/jobs'
import { askList } from '../sources/ask-list'
import { reportHit } from '../watch/report-hit'
import { type Sighting, watch } from '../watch/watch'

/** The fields of a ledger transaction that its screening needs. */
export type LedgerTransaction = Pick<
  TransactionState,
  'id' | 'type' | 'network' | 'sourceAddress' | 'destinationAddress' | 'participantId'
>

type Deps = Pick<SanctionsDeps, 'store' | 'config' | 'list' | 'now'>

/**
 * Creates the jobs that screen new transactions of the core ledger by their counterparties: the source of a deposit, the
 * destination of a withdrawal. A transfer between accounts of the ledger has none, and passes. A deposit without a
 * source cannot be screened: its job fails, and it is not approved. Nothing is done for one that has a job.
 */
export async function screenLedgerTransactions(
  tx: Tx,
  { config, now }: Deps,
  transactions: readonly LedgerTransaction[],
): Promise<void> {
  const at = now()
  const types = new Map(transactions.map(({ id, type }) => [id, type]))
  const jobs = await createLedgerJobs(
    tx,
    transactions.map((transaction) => {
      const { id: externalId, network: blockchain, participantId } = transaction
      return { externalId, subject: counterpartyOf(transaction) ?? '', blockchain, participantId }
    }),
    at,
  )
  const ended = jobs.filter(({ subject }) => subject === '')
  await endJobs(
    tx,
    ended.map((job) => ({
      job,
      outcome: types.get(job.externalId) === 'TRANSFER' ? noParty(job.blockchain, at) : noAddress,
    })),
    { at, callbackUrl: config.callbackUrl },
  )
}

const noAddress: Outcome = { error: 'The transaction has no address that could be screened' }
const noParty = (blockchain: string, at: Date): Outcome => ({
  result: { address: '', blockchain, sanctioned: false, sources: [], checkedAt: at.toISOString() },
  screened: [],
})

/**
 * Watches the counterparties of transactions that are screened elsewhere: they are compared with this list and each new
 * one, and a hit is reported.
 */
export async function watchCounterparties(
  tx: Tx,
  deps: Deps,
  transactions: readonly LedgerTransaction[],
): Promise<void> {
  const at = deps.now()
  const seen: { sighting: Sighting; source: ScreeningSource }[] = []
  for (const transaction of transactions) {
    const address = counterpartyOf(transaction)
    if (address === null) continue
    const { id: ledgerTransactionId, network: blockchain, participantId } = transaction
    const key = screeningKey(address)
    const { listId, source } = await askList(deps, tx, key)
    const sighting = { key, address, blockchain, listId, listed: source.match, participantId, ledgerTransactionId }
    seen.push({ sighting, source })
  }
  await watch(
    tx,
    seen.map(({ sighting }) => sighting),
    at,
  )
  for (const { sighting, source } of seen.filter(({ source: { match } }) => match)) {
    const row = { ...sighting, participantId: sighting.participantId ?? '', createdAt: at }
    await reportHit(tx, row, source, { at, callbackUrl: deps.config.callbackUrl })
  }
}

/** The external party; null for a transfer, and when it is unknown. */
function counterpartyOf({ type, sourceAddress, destinationAddress }: LedgerTransaction): string | null {
  if (type === 'TRANSFER') return null
  return (type === 'DEPOSIT' ? sourceAddress : destinationAddress)?.trim() || null
}
