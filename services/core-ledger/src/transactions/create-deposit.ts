import { and, eq, param, prepared, type Store, type Tx } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { createTransaction } from './create-transaction'
import { amountOf } from './parse-amount'
import { type TransactionRecord, toTransaction, transactionRecord } from './read-transactions'
import { readTerms, requireNetwork } from './terms'
import type { NewDeposit, Transaction } from './transactions.model'
import { transactions } from './transactions.table'

/** This on-chain transfer was recorded before, with the same contents: the first record is the answer. */
export class DepositKnown extends Error {
  override name = 'DepositKnown'
  constructor(readonly deposit: Transaction) {
    super(`The deposit is known as transaction ${deposit.id}`)
  }
}

/**
 * Records what came in from outside: it waits in suspense until its screening is passed, whatever the account's status.
 * Throws DepositKnown for one that is known, fails with 409 when that one has other contents. Throws AccountUnknown as
 * withdrawals do.
 */
export const createDeposit = (store: Store, input: NewDeposit, now = new Date()): Promise<Transaction> =>
  store.commit(async (tx) => {
    const { accountId, network, sourceAddress, reference, logIndex = 0 } = input
    const terms = await readTerms(tx, accountId, input.assetId)
    requireNetwork(terms, network)
    const amount = amountOf(input.amount, terms.asset.decimals)
    const txHash = normalHash(input.txHash)
    const known = await knownDeposit(tx, { network: terms.asset.network, txHash, logIndex })
    if (known && sameContents(known, { accountId: terms.accountId, assetId: terms.asset.id, amount, sourceAddress })) {
      throw new DepositKnown(toTransaction(known))
    }
    if (known) throw differs(known, txHash)
    const deposit = { type: 'DEPOSIT', amount, sourceAddress, txHash, logIndex, reference } as const
    return toTransaction(await createTransaction(tx, terms, deposit, now))
  })

/** Hexadecimal hashes, of which Bitcoin's and Tron's have no 0x, are the same in either case; the others are not. */
const normalHash = (hash: string): string => (/^(0x[0-9a-f]+|[0-9a-f]{64})$/i.test(hash) ? hash.toLowerCase() : hash)

type Contents = Pick<TransactionRecord, 'accountId' | 'assetId' | 'amount' | 'sourceAddress'>

const sameContents = (one: Contents, other: Contents): boolean =>
  one.accountId === other.accountId &&
  one.assetId === other.assetId &&
  one.amount === other.amount &&
  one.sourceAddress?.toLowerCase() === other.sourceAddress?.toLowerCase()

const differs = (known: TransactionRecord, txHash: string) =>
  fail('DEPOSIT_DIFFERS', {
    message: `${txHash} on ${known.network} is recorded as transaction ${known.id}, with another account, asset, amount or source`,
  })

async function knownDeposit(tx: Tx, place: { network: string; txHash: string; logIndex: number }) {
  const [record] = await depositByPlace(tx).execute(place)
  return record
}

const depositByPlace = prepared((db) =>
  db
    .select(transactionRecord)
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(
      and(
        eq(transactions.network, param('network')),
        eq(transactions.txHash, param('txHash')),
        eq(transactions.logIndex, param('logIndex')),
      ),
    ),
)
