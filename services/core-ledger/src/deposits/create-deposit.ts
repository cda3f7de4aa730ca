import type { KnownTransfer } from '@bursar/contracts/blockchain'
import { and, asc, eq, gte, lt, param, prepared, type Tx } from '@bursar/store'
import { comparableContract as comparable } from '../assets/assets'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { chainTransferOf, putChainTransfer } from '../movements/chain-transfers'
import { chainTransfers } from '../movements/chain-transfers.table'
import { createTransaction } from '../movements/create-transaction'
import { parseRequestAmount } from '../movements/parse-amount'
import { type TransactionRecord, transactionRecord } from '../movements/read-transactions'
import { readTerms, requireNetwork, type Terms } from '../movements/terms'
import type { NewDeposit } from '../movements/transactions.model'
import { transactions } from '../movements/transactions.table'
import { namedTransferKey, normalHash, transactionKey, transferKey } from '../networks/networks'

export interface RecordedDeposit {
  deposit: TransactionRecord
  /** False when the same on-chain transfer was already recorded. */
  isNew: boolean
}

/** A transfer to an account, with its amount in minor units. */
interface Transfer {
  amount: bigint
  sourceAddress: string
  txHash: string
  reference?: string | null | undefined
}

/** A transfer entered by a person. */
export interface NamedTransfer extends Transfer {
  logIndex: number | undefined
}

/** A transfer reported by the blockchain service. */
export interface SeenTransfer extends Transfer {
  logIndex: number
  /** Null if it is known only from an answer to a question: an event about it is newer. */
  confirmedAt: Date | null
}

/** A deposit of an on-chain transaction, with the key of its transfer at the blockchain service. */
type Recorded = TransactionRecord & { chainKey: string | null }

/**
 * Records a deposit that a caller reports. The account must be known here (require-account.ts). `known`: the transfers
 * of the transaction on its chain, which must include the deposit; null if the chain is not asked.
 */
export async function createDeposit(
  tx: Tx,
  input: NewDeposit,
  { known = null, now }: { known?: readonly KnownTransfer[] | null; now: Date },
): Promise<RecordedDeposit> {
  const { accountId, network, sourceAddress, txHash, reference, logIndex } = input
  const terms = await readTerms(tx, accountId, input.assetId)
  requireNetwork(terms, network)
  const amount = parseRequestAmount(input.amount, terms.asset.decimals)
  const named = { amount, sourceAddress, txHash, logIndex, reference }
  if (known === null) return await recordNamed(tx, terms, named, now)
  return await recordSeen(
    tx,
    terms,
    { ...named, ...(await transferOnChain(tx, terms, named, known)), confirmedAt: null },
    now,
  )
}

/**
 * Records a transfer that the blockchain service has seen. The deposit waits in suspense for its screening, whatever
 * the account's status. The transfer belongs to the deposit that was recorded for it; or to one that a person recorded
 * with the same transaction, account, asset and amount, if no other transfer is mapped to it; or to a new one. 409 when
 * the recorded deposit differs.
 */
export async function recordSeen(tx: Tx, terms: Terms, transfer: SeenTransfer, now: Date): Promise<RecordedDeposit> {
  const { network } = terms.asset
  const txHash = normalHash(network, transfer.txHash)
  const key = transferKey(network, txHash, transfer.logIndex)
  const recorded = await depositsOf(tx, network, txHash)
  const known = recorded.find((each) => each.chainKey === key)
  if (known) {
    if (!isSame(known, terms, transfer)) throw differs(known, txHash)
    return { deposit: known, isNew: false }
  }
  const met = matchManualDeposit(recorded, key, terms, transfer)
  const deposit =
    met ?? (await createTransaction(tx, terms, { ...transfer, type: 'DEPOSIT', txHash, transferKey: key }, now))
  await putChainTransfer(tx, { ...(await stateOf(tx, key, transfer)), key, transactionId: deposit.id })
  return { deposit, isNew: !met }
}

/** An answer to a question may be older than the reversal that is known here, or that is still to arrive. */
async function stateOf(tx: Tx, key: string, { confirmedAt }: SeenTransfer) {
  if (confirmedAt !== null) return { confirmedAt, reversedAt: null }
  const known = await chainTransferOf(tx, key)
  return { confirmedAt: known?.confirmedAt ?? new Date(0), reversedAt: known?.reversedAt ?? null }
}

/**
 * The manually recorded deposit that a transfer on the chain confirms; undefined for none. 409 when one contradicts it.
 */
function matchManualDeposit(
  recorded: readonly Recorded[],
  key: string,
  terms: Terms,
  transfer: SeenTransfer,
): Recorded | undefined {
  const unconfirmed = recorded.filter((each) => each.chainKey === null)
  // Recorded for this very transfer, by an older ledger.
  const own = unconfirmed.find((each) => each.transferKey === key)
  if (own && !isSame(own, terms, transfer)) throw differs(own, transfer.txHash)
  const ofAccount = unconfirmed.filter((each) => isOfAccount(each, terms))
  const met = own ?? ofAccount.find((each) => isSame(each, terms, transfer))
  if (!met && ofAccount[0]) throw differs(ofAccount[0], transfer.txHash)
  return met
}

/**
 * Records a transfer that a person has reported. A repeat returns the first record, and is 409 if that has another
 * account, asset, amount or source. A transfer that the chain has reported before must match, or 409.
 */
async function recordNamed(tx: Tx, terms: Terms, transfer: NamedTransfer, now: Date): Promise<RecordedDeposit> {
  const { network } = terms.asset
  const { logIndex } = transfer
  const txHash = normalHash(network, transfer.txHash)
  const keys = {
    named: namedTransferKey(network, txHash, logIndex ?? 0),
    chain: transferKey(network, txHash, logIndex ?? 0),
  }
  const recorded = await depositsOf(tx, network, txHash)
  const known =
    logIndex === undefined
      ? findWithoutIndex(recorded, keys, terms, transfer)
      : findByIndex(recorded, keys, terms, transfer)
  if (known) return { deposit: known, isNew: false }
  const deposit = { ...transfer, type: 'DEPOSIT', txHash, transferKey: keys.named } as const
  return { deposit: await createTransaction(tx, terms, deposit, now), isNew: true }
}

interface Keys {
  named: string
  chain: string
}

/** Recorded by hand under this index (older ledgers stored the chain's key for that). */
const enteredByHand = (recorded: readonly Recorded[], { named, chain }: Keys): Recorded | undefined =>
  recorded.find((each) => each.transferKey === named || (each.chainKey === null && each.transferKey === chain))

/** The recorded deposit of the transfer that a person names by its index. */
function findByIndex(
  recorded: readonly Recorded[],
  keys: Keys,
  terms: Terms,
  transfer: Transfer,
): Recorded | undefined {
  const known = enteredByHand(recorded, keys) ?? recorded.find(({ chainKey }) => chainKey === keys.chain)
  // The chain has reported transfers to this account: the named one is among them under another index, or will follow.
  const contradicted = known ?? recorded.find((each) => each.chainKey !== null && isOfAccount(each, terms))
  if (!contradicted) return undefined
  if (contradicted === known && isSame(known, terms, transfer) && hasSource(known, transfer)) return known
  throw differs(contradicted, transfer.txHash)
}

/** The recorded deposit of the transfer that a person names without an index. */
function findWithoutIndex(
  recorded: readonly Recorded[],
  keys: Keys,
  terms: Terms,
  transfer: Transfer,
): Recorded | undefined {
  const seen = recorded.filter((each) => each.chainKey !== null)
  const same = [...seen, ...recorded].find((each) => isSame(each, terms, transfer))
  if (same && (same.chainKey !== null || hasSource(same, transfer))) return same
  const contradicted = same ?? seen[0] ?? enteredByHand(recorded, keys)
  if (contradicted) throw differs(contradicted, transfer.txHash)
  return undefined
}

/** Finds the transfer on the chain that a person names: its index and source. 400 when the chain has none. */
async function transferOnChain(
  tx: Tx,
  { accountId, asset }: Terms,
  { amount, sourceAddress, txHash, logIndex }: NamedTransfer,
  known: readonly KnownTransfer[],
): Promise<Pick<KnownTransfer, 'logIndex' | 'sourceAddress'>> {
  const fitting = known.filter(
    (each) =>
      each.isFinal &&
      each.accountId === accountId &&
      comparable(each.contractAddress) === comparable(asset.contractAddress) &&
      each.amount === `${amount}` &&
      comparable(each.sourceAddress) === comparable(sourceAddress) &&
      (logIndex === undefined || each.logIndex === logIndex),
  )
  const keys = new Set((await depositsOf(tx, asset.network, txHash)).map(({ chainKey }) => chainKey))
  const free = fitting.find((each) => !keys.has(transferKey(asset.network, txHash, each.logIndex)))
  const meant = free ?? fitting[0]
  if (!meant) throw fail('DEPOSIT_UNKNOWN')
  return { logIndex: meant.logIndex, sourceAddress: meant.sourceAddress }
}

const isOfAccount = (known: Recorded, { accountId, asset }: Terms): boolean =>
  known.accountId === accountId && known.assetId === asset.id

const isSame = (known: Recorded, terms: Terms, { amount }: Pick<Transfer, 'amount'>): boolean =>
  isOfAccount(known, terms) && known.amount === amount

const hasSource = (known: Recorded, { sourceAddress }: Transfer): boolean =>
  comparable(known.sourceAddress ?? '') === comparable(sourceAddress)

const differs = (known: TransactionRecord, txHash: string) =>
  fail('DEPOSIT_DIFFERS', {
    message: `${txHash} on ${known.network} is recorded as transaction ${known.id}, with another account, asset, amount, source or index`,
  })

/** The deposits of an on-chain transaction, oldest first. */
export function depositsOf(tx: Tx, network: string, txHash: string): Promise<Recorded[]> {
  const from = transactionKey(network, txHash)
  // The prefix ends with a space; the next character ends the range.
  return depositsBetween(tx).execute({ from, until: `${from.slice(0, -1)}!` })
}

const depositsBetween = prepared((db) =>
  db
    .select({ ...transactionRecord, chainKey: chainTransfers.key })
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .leftJoin(chainTransfers, eq(chainTransfers.transactionId, transactions.id))
    .where(and(gte(transactions.transferKey, param('from')), lt(transactions.transferKey, param('until'))))
    .orderBy(asc(transactions.id)),
)
