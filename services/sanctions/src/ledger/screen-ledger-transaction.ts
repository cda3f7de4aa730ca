import type { TransactionState } from '@bursar/contracts/core-ledger'
import type { Tx } from '@bursar/store'
import { screeningKey } from '../addresses/screening-key'
import type { SanctionsDeps } from '../deps'
import { endJob } from '../jobs/end-job'
import { createJob, findJob } from '../jobs/jobs'
import { askList } from '../sources/ask-list'
import { reportHit } from '../watch/report-hit'
import { watch } from '../watch/watch'

/** The fields of a ledger transaction that its screening needs. */
export type LedgerTransaction = Pick<
  TransactionState,
  'id' | 'type' | 'network' | 'sourceAddress' | 'destinationAddress' | 'participantId'
>

type Deps = Pick<SanctionsDeps, 'config' | 'list' | 'now'>

/**
 * Creates the job that screens a new transaction of the core ledger by its counterparty: the source of a deposit, the
 * destination of a withdrawal. A transfer between accounts of the ledger has none, and passes. A deposit without a
 * source cannot be screened: its job fails, and it is not approved. Does nothing when the job exists.
 */
export async function screenLedgerTransaction(tx: Tx, { config, now }: Deps, transaction: LedgerTransaction) {
  const { id: externalId, type, network: blockchain, participantId } = transaction
  if (await findJob(tx, { kind: 'ledger', externalId })) return
  const at = now()
  const subject = counterpartyOf(transaction) ?? ''
  const job = await createJob(tx, { kind: 'ledger', externalId, subject, blockchain, participantId }, { now: at })
  if (subject !== '') return
  const options = { at, callbackUrl: config.callbackUrl }
  if (type !== 'TRANSFER') {
    await endJob(tx, job, { error: 'The transaction has no address that could be screened' }, options)
    return
  }
  const result = { address: '', blockchain, sanctioned: false, sources: [], checkedAt: at.toISOString() }
  await endJob(tx, job, { result, screened: [] }, options)
}

/**
 * Watches the counterparty of a transaction that is screened elsewhere: it is compared with this list and each new one,
 * and a hit is reported.
 */
export async function watchCounterparty(tx: Tx, deps: Deps, transaction: LedgerTransaction): Promise<void> {
  const address = counterpartyOf(transaction)
  if (address === null) return
  const at = deps.now()
  const { id: ledgerTransactionId, network: blockchain, participantId } = transaction
  const key = screeningKey(address)
  const { listId, source } = await askList(deps, tx, key)
  const listed = source.match
  await watch(tx, [{ key, address, blockchain, listId, listed }], { participantId, ledgerTransactionId }, at)
  if (!listed) return
  const row = { key, address, blockchain, listId, listed, participantId: participantId ?? '', ledgerTransactionId }
  await reportHit(tx, { ...row, createdAt: at }, source, { at, callbackUrl: deps.config.callbackUrl })
}

/** The external party; null for a transfer, and when it is unknown. */
function counterpartyOf({ type, sourceAddress, destinationAddress }: LedgerTransaction): string | null {
  if (type === 'TRANSFER') return null
  return (type === 'DEPOSIT' ? sourceAddress : destinationAddress)?.trim() || null
}
