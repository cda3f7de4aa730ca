import { and, eq, param, prepared, type Tx } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { createTransaction } from './create-transaction'
import { amountOf } from './parse-amount'
import { type TransactionRecord, transactionRecord } from './read-transactions'
import { readTerms, requireNetwork } from './terms'
import type { NewDeposit } from './transactions.model'
import { transactions } from './transactions.table'

/**
 * Records what came in from outside: it waits in suspense until its screening is passed, whatever the account's status.
 * The same on-chain transfer again is the first record (`isNew` false); with other contents a 409. The account must be
 * known here (require-account.ts).
 */
export async function createDeposit(
  tx: Tx,
  input: NewDeposit,
  now = new Date(),
): Promise<{ deposit: TransactionRecord; isNew: boolean }> {
  const { accountId, network, sourceAddress, reference, logIndex = 0 } = input
  const terms = await readTerms(tx, accountId, input.assetId)
  requireNetwork(terms, network)
  const amount = amountOf(input.amount, terms.asset.decimals)
  const txHash = normalHash(input.txHash)
  const known = await knownDeposit(tx, { network: terms.asset.network, txHash, logIndex })
  if (known) {
    const contents = { accountId: terms.accountId, assetId: terms.asset.id, amount, sourceAddress }
    if (!sameContents(known, contents)) throw differs(known, txHash)
    return { deposit: known, isNew: false }
  }
  const deposit = { type: 'DEPOSIT', amount, sourceAddress, txHash, logIndex, reference } as const
  return { deposit: await createTransaction(tx, terms, deposit, now), isNew: true }
}

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
