import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { type GatewayRecord, gatewayTransactions } from './gateway'
import type { GatewayQuery } from './gateway.model'
import { transactionIdPage } from './list-transactions'

/** The limit of offsets, because skipping costs as much as reading (decisions, Deep offsets). */
const farthest = 100_000
const tooFar = `page must not begin more than ${farthest} transactions after the newest: narrow the list by its filters`

/** One page of the transactions that match, newest first. */
export async function listGatewayTransactions(db: Db, query: GatewayQuery): Promise<GatewayRecord[]> {
  const { page, pageSize, ...filters } = query
  const offset = (page - 1) * pageSize
  if (offset > farthest) throw fail('FILTER_INVALID', { message: tooFar })
  const ids = await transactionIdPage(db, filters, { order: 'desc', limit: pageSize, offset })
  return await gatewayTransactions(db, ids)
}
