import { asc, type Db, eq, gt, param, prepared } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { journal } from '../ledger/journal.table'
import { isFirst } from '../ledger/ledger-accounts'
import { entriesUntil, statuses } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'
import { normalNetwork } from '../networks/networks'
import { AuditDifference } from './audit-difference'

/** Joined rows per chunk: a transaction has few entries, so a chunk always contains complete transactions. */
const chunkRows = 300

/**
 * Compares every transaction with its posted entries, which must be exactly those of its status; with the queue of
 * work, which must have exactly the APPROVED ones; and with its asset, whose terms are fixed since its first
 * transaction. Yields the number of transactions after each chunk. Throws AuditDifference at the first that differs.
 */
export async function* auditTransactions(read: Db): AsyncGenerator<number> {
  for (let after = ''; ; ) {
    const rows = await transactionChunk(read).execute({ after, limit: chunkRows })
    const groups = [...Map.groupBy(rows, ({ id }) => id)]
    // The chunk may end within the last transaction's entries, so the next chunk begins with that transaction.
    const whole = rows.length < chunkRows ? groups : groups.slice(0, -1)
    for (const [id, entries] of whole) check(id, entries)
    yield whole.length
    const last = whole.at(-1)
    if (!last || rows.length < chunkRows) return
    after = last[0]
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof transactionChunk>['execute']>>[number]

function check(id: string, rows: Row[]): void {
  const [first] = rows
  if (!first) return
  const reason = faultOf(first, rows)
  if (reason) throw new AuditDifference(`Transaction ${id} ${reason}`)
}

function faultOf(first: Row, rows: Row[]): string | null {
  const { type, status, queued, returns, executedAt } = first
  if (!statuses.includes(status)) return `has the status ${status}, which there is not`
  if ((queued !== null) !== (status === 'APPROVED')) {
    return `is ${status} and ${queued === null ? 'does not stand' : 'stands'} in the queue of work`
  }
  const expected = entriesUntil(first, status).sort().join(' and ')
  const posted = rows
    .flatMap(({ kind }) => kind ?? [])
    .sort()
    .join(' and ')
  if (posted !== expected) {
    return `is a ${returns === null ? type : 'return'} ${status}, which posts ${expected}; the journal has ${posted || 'nothing'}`
  }
  const completedAt = status === 'COMPLETED' ? rows.find(({ kind }) => kind && !isFirst(kind))?.postedAt : null
  if (executedAt?.getTime() !== completedAt?.getTime()) return 'has another time of execution than its entries say'
  return faultOfAsset(first)
}

/** The decimals, network and contract of an asset are fixed since its first transaction, and it cannot be deleted. */
function faultOfAsset({ terms, asset }: Row): string | null {
  if (!asset) return `is of asset ${terms.assetId}, which is not there`
  const differing = [
    terms.decimals !== asset.decimals && `decimals ${asset.decimals}, it was made with ${terms.decimals}`,
    terms.contractAddress !== asset.contractAddress &&
      `contract ${asset.contractAddress}, it was made with ${terms.contractAddress}`,
    normalNetwork(terms.network) !== normalNetwork(asset.network) &&
      `network ${asset.network}, it was made with ${terms.network}`,
    !asset.used && 'no mark of being used',
    asset.deletedAt !== null && 'the mark of being deleted',
  ].filter((word) => word !== false)
  return differing.length === 0 ? null : `is of asset ${terms.assetId}, which has ${differing.join(', and ')}`
}

const transactionChunk = prepared((db) =>
  db
    .select({
      id: transactions.id,
      type: transactions.type,
      status: transactions.status,
      returns: transactions.returns,
      executedAt: transactions.executedAt,
      kind: journal.kind,
      postedAt: journal.createdAt,
      queued: work.transactionId,
      terms: {
        assetId: transactions.assetId,
        decimals: transactions.decimals,
        contractAddress: transactions.contractAddress,
        network: transactions.network,
      },
      asset: {
        decimals: assets.decimals,
        contractAddress: assets.contractAddress,
        network: assets.network,
        used: assets.used,
        deletedAt: assets.deletedAt,
      },
    })
    .from(transactions)
    .leftJoin(journal, eq(journal.transactionId, transactions.id))
    .leftJoin(work, eq(work.transactionId, transactions.id))
    .leftJoin(assets, eq(assets.id, transactions.assetId))
    .where(gt(transactions.id, param('after')))
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
