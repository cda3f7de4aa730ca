import { mostInBatch } from '@bursar/contracts/batch'
import { getKnownTransfers, type KnownTransfer } from '@bursar/contracts/blockchain'
import type { Client } from '@bursar/http'
import { and, asc, type ChunkPlace, type Db, eq, gt, inChunks, or, param, prepared } from '@bursar/store'
import { comparableContract } from '../assets/assets'
import { chainTransferOf } from '../movements/chain-transfers'
import { chainTransfers } from '../movements/chain-transfers.table'
import { wasReturned } from '../movements/returns'
import { transactions } from '../movements/transactions.table'
import { normalHash, normalNetwork, transferKey } from '../networks/networks'
import { AuditDifference } from './audit-difference'

/** The result of a pass over the credited deposits. */
export interface DepositFigures {
  /** Deposits that are on their chains. */
  onChain: number
  /** Deposits that were recorded by hand in the sandbox, and are on no chain. */
  byHand: number
  /** Deposits that their chains reversed; their accounts have a shortfall. */
  reversed: number
  /** Deposits whose networks are unavailable. */
  notCompared: number
}

export const noFigures = (): DepositFigures => ({ onChain: 0, byHand: 0, reversed: 0, notCompared: 0 })

interface Sides {
  read: Db
  client: Client
  /** False in the sandbox, where deposits that were recorded by hand may be on no chain. */
  isProduction: boolean
}

/**
 * Compares every deposit that was credited or returned with its chain: there must be a final transfer with its hash,
 * account, asset and amount, which belongs to no other deposit. Yields the number of deposits after each batch. Throws
 * AuditDifference at the first that is missing, CallError while the blockchain service is unavailable.
 */
export async function* auditDeposits(sides: Sides, figures: DepositFigures): AsyncGenerator<number> {
  const { read, client } = sides
  const chunk = (place: ChunkPlace<string>) => creditedAfter(read).execute({ ...place })
  for await (const rows of inChunks(chunk, { size: mostInBatch, start: '', keyOf: ({ id }) => id })) {
    const items = rows.map(({ network, txHash }) => ({
      network: normalNetwork(network),
      txHash: normalHash(network, txHash ?? ''),
    }))
    const answers = (await client.call(getKnownTransfers, { body: { items } })).items
    for (const [i, row] of rows.entries()) figures[await verdictOf(sides, row, answers[i] ?? null)] += 1
    yield rows.length
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof creditedAfter>['execute']>>[number]

async function verdictOf(
  { read, isProduction }: Sides,
  row: Row,
  known: readonly KnownTransfer[] | null,
): Promise<keyof DepositFigures> {
  if (row.reversedAt !== null) return 'reversed'
  if (known === null) return 'notCompared'
  for (const transfer of known) if (await isTransferOf(read, row, transfer)) return 'onChain'
  if (row.key === null && !isProduction) return 'byHand'
  throw new AuditDifference(
    `Deposit ${row.id} was ${row.status === 'COMPLETED' ? 'credited' : 'returned'}; ${row.network} has no final transfer ${row.txHash} to its account of its amount`,
  )
}

async function isTransferOf(read: Db, row: Row, transfer: KnownTransfer): Promise<boolean> {
  const key = transferKey(row.network, row.txHash ?? '', transfer.logIndex)
  const isSame =
    transfer.isFinal &&
    transfer.accountId === row.accountId &&
    transfer.amount === `${row.amount}` &&
    comparableContract(transfer.contractAddress) === comparableContract(row.contractAddress)
  if (!isSame || row.key !== null) return isSame && row.key === key
  // A transfer that belongs to another deposit does not count.
  const claimed = await chainTransferOf(read, key)
  return (claimed?.transactionId ?? row.id) === row.id
}

const hasEnded = eq(transactions.status, 'COMPLETED')
const creditedAfter = prepared((db) =>
  db
    .select({
      id: transactions.id,
      status: transactions.status,
      network: transactions.network,
      txHash: transactions.txHash,
      accountId: transactions.accountId,
      contractAddress: transactions.contractAddress,
      amount: transactions.amount,
      key: chainTransfers.key,
      reversedAt: chainTransfers.reversedAt,
    })
    .from(transactions)
    .leftJoin(chainTransfers, eq(chainTransfers.transactionId, transactions.id))
    .where(and(gt(transactions.id, param('after')), eq(transactions.type, 'DEPOSIT'), or(hasEnded, wasReturned)))
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
