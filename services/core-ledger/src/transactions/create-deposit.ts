import { comparableAddress } from '@bursar/contracts/address'
import { eq, param, prepared, type Tx } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { normalHash, transferKey } from '../networks/networks'
import { createTransaction } from './create-transaction'
import { amountOf } from './parse-amount'
import { type TransactionRecord, transactionRecord } from './read-transactions'
import { readTerms, requireNetwork, type Terms } from './terms'
import type { NewDeposit } from './transactions.model'
import { transactions } from './transactions.table'

export interface RecordedDeposit {
  deposit: TransactionRecord
  /** False when the same on-chain transfer was recorded before. */
  isNew: boolean
}

/** A transfer on a chain, with its amount in the asset's smallest unit. */
export interface OnChainTransfer {
  amount: bigint
  sourceAddress: string
  txHash: string
  logIndex: number
  reference?: string | null | undefined
}

/** Records a deposit as a caller words it. The account must be known here (require-account.ts). */
export async function createDeposit(tx: Tx, input: NewDeposit, now = new Date()): Promise<RecordedDeposit> {
  const { accountId, network, sourceAddress, txHash, reference, logIndex = 0 } = input
  const terms = await readTerms(tx, accountId, input.assetId)
  requireNetwork(terms, network)
  const amount = amountOf(input.amount, terms.asset.decimals)
  return await recordDeposit(tx, terms, { amount, sourceAddress, txHash, logIndex, reference }, now)
}

/**
 * Records what came in from outside: it waits in suspense until its screening is passed, whatever the account's status.
 * One on-chain transfer is one deposit, however its network and hash are written: known already, it is the first record,
 * or a 409 when that one has another account, asset, amount or source.
 */
export async function recordDeposit(
  tx: Tx,
  terms: Terms,
  transfer: OnChainTransfer,
  now = new Date(),
): Promise<RecordedDeposit> {
  const { network } = terms.asset
  const txHash = normalHash(network, transfer.txHash)
  const key = transferKey(network, txHash, transfer.logIndex)
  const [known] = await depositByKey(tx).execute({ transferKey: key })
  if (known) {
    if (!isSame(known, terms, transfer)) throw differs(known, txHash)
    return { deposit: known, isNew: false }
  }
  const deposit = { ...transfer, type: 'DEPOSIT', txHash, transferKey: key } as const
  return { deposit: await createTransaction(tx, terms, deposit, now), isNew: true }
}

const isSame = (known: TransactionRecord, { accountId, asset }: Terms, { amount, sourceAddress }: OnChainTransfer) =>
  known.accountId === accountId &&
  known.assetId === asset.id &&
  known.amount === amount &&
  comparableAddress(known.sourceAddress ?? '') === comparableAddress(sourceAddress)

const differs = (known: TransactionRecord, txHash: string) =>
  fail('DEPOSIT_DIFFERS', {
    message: `${txHash} on ${known.network} is recorded as transaction ${known.id}, with another account, asset, amount or source`,
  })

const depositByKey = prepared((db) =>
  db
    .select(transactionRecord)
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(eq(transactions.transferKey, param('transferKey'))),
)
