import type { TransactionState } from '@bursar/contracts/core-ledger'
import type { ScreeningSource } from '@bursar/contracts/sanctions'
import type { Tx } from '@bursar/store'
import { screeningKey } from '../addresses/screening-key'
import type { SanctionsDeps } from '../deps'
import { addEndedJobs, type Outcome } from '../jobs/end-job'
import { addJobs, newLedgerJobs, setOwner } from '../jobs/jobs'
import { type AddressScreening, isScreenedHere, screenAddresses } from '../screening/screen-address'
import { askList } from '../sources/ask-list'
import { reportHit, watch, watchedKeys } from '../watch/watch'

/** The fields of a ledger transaction that its screening needs. */
export type LedgerTransaction = Pick<
  TransactionState,
  'id' | 'type' | 'network' | 'sourceAddress' | 'destinationAddress' | 'participantId'
>

type Deps = Pick<SanctionsDeps, 'store' | 'config' | 'list' | 'sources' | 'now'>

/**
 * Screens new transactions of the core ledger by their counterparties: the source of a deposit, the destination of a
 * withdrawal. A transfer between accounts of the ledger has none, and passes. A deposit without a source cannot be
 * screened: its job fails, and it is not approved. One that has a job is not screened again; a job of nobody becomes its
 * participant's. Where a source outside is to be asked the job waits for that; others end as they are made.
 */
export async function screenLedgerTransactions(
  tx: Tx,
  deps: Deps,
  transactions: readonly LedgerTransaction[],
): Promise<void> {
  const at = deps.now()
  const transfers = new Set(transactions.flatMap(({ id, type }) => (type === 'TRANSFER' ? [id] : [])))
  const asked = transactions.map((transaction) => {
    const { id: externalId, network: blockchain, participantId } = transaction
    return { externalId, subject: counterpartyOf(transaction) ?? '', blockchain, participantId }
  })
  const { made: jobs, unowned } = await newLedgerJobs(tx, asked, at)
  if (unowned.length > 0) {
    for (const { id, participantId } of unowned) await setOwner(tx).execute({ id, participantId })
    const ids = new Set(unowned.map(({ externalId }) => externalId))
    const owned = transactions.filter(({ id }) => ids.has(id))
    await watchParties(tx, deps, owned)
  }
  const [unnamed, named] = partition(jobs, ({ subject }) => subject === '')
  const [here, waiting] = partition(named, ({ subject }) => isScreenedHere(deps, subject))
  const addresses = here.map(({ subject: address, blockchain }) => ({ address, blockchain }))
  const screenings = await screenAddresses(deps, addresses)
  const ended = [
    ...unnamed.map((job) => ({
      job,
      outcome: transfers.has(job.externalId) ? noParty(job.blockchain, at) : noAddress,
    })),
    ...here.map((job, i) => ({ job, outcome: screenings[i] as AddressScreening })),
  ]
  await addJobs(tx, waiting)
  await addEndedJobs(tx, ended, { at, callbackUrl: deps.config.callbackUrl })
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
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
  const seen = await watchParties(tx, deps, transactions)
  for (const { sighting, source } of seen.filter(({ source: { match } }) => match)) {
    const row = { ...sighting, participantId: sighting.participantId ?? '', createdAt: at }
    await reportHit(tx, row, source, { at, callbackUrl: deps.config.callbackUrl })
  }
}

/** The same for transactions of nobody knows whom, unless their counterparty is watched already. */
export async function watchUnknown(
  tx: Tx,
  deps: Deps,
  transactions: readonly Omit<LedgerTransaction, 'participantId'>[],
): Promise<void> {
  const named = transactions.map((transaction) => ({ ...transaction, participantId: null }))
  const keys = named.map((transaction) => screeningKey(counterpartyOf(transaction) ?? ''))
  const known = new Set((await watchedKeys(tx, keys)).map(({ key }) => key))
  const unknown = named.filter((_, i) => !known.has(keys[i] ?? ''))
  await watchCounterparties(tx, deps, unknown)
}

/** Watches the counterparties of transactions from now on. Returns what the list in use says of each. */
async function watchParties(tx: Tx, deps: Deps, transactions: readonly LedgerTransaction[]) {
  const named = transactions.flatMap((transaction) => {
    const address = counterpartyOf(transaction)
    return address === null ? [] : [{ transaction, address, key: screeningKey(address) }]
  })
  const { listId, sources } = await askList(deps, named)
  const seen = named.map(({ transaction, address, key }) => {
    const { id: ledgerTransactionId, network: blockchain, participantId } = transaction
    const source = sources.get(key) as ScreeningSource
    const sighting = { key, address, blockchain, listId, listed: source.match, participantId, ledgerTransactionId }
    return { sighting, source }
  })
  const sightings = seen.map(({ sighting }) => sighting)
  await watch(tx, sightings, deps.now())
  return seen
}

/** The external party; null for a transfer, and when it is unknown. */
function counterpartyOf({ type, sourceAddress, destinationAddress }: LedgerTransaction): string | null {
  if (type === 'TRANSFER') return null
  return (type === 'DEPOSIT' ? sourceAddress : destinationAddress)?.trim() || null
}
