import { page } from '@bursar/http'
import { type Db, folded, inChunks, listValues, type Order } from '@bursar/store'
import { badField } from '../errors'
import type { Payment } from '../payments/payments.model'
import { type PaymentStatus, type PaymentType, statuses, types } from '../payments/states'
import { countGroups, sumOf } from './count-payments'
import { filtersOf, isWanted, noFilters } from './find-page'
import { chosen, paymentsOf } from './list-payments'
import type { PaymentExportQuery, PaymentQuery } from './lists.model'
import { pageOfRuns, type Run, type RunBy, runList } from './page-reads'
import { withReference } from './search'

/** Payments in the order of their creation, by filters that an index answers. Ids are made at `createdAt`. */
interface Between extends Pick<PaymentQuery, 'participantId' | 'reference' | 'from' | 'to'> {
  types: readonly PaymentType[]
  statuses: readonly PaymentStatus[]
}

/** Each run is read to the end of the page: pages that lie further on are read with `after`. */
const farthest = 1000

/** Whether a query has filters that are read in this way. Fails with 400 when it combines them with others. */
export function isBetween(query: PaymentQuery): boolean {
  const { participantId, reference, from, to, order, after, search, sortBy, offset } = query
  if (!participantId && reference === undefined && !from && !to && !order && !after) return false
  const these = 'participantId, reference, from, to, order and after'
  if (search !== undefined) throw badField('search', `cannot be combined with ${these}`)
  if (sortBy !== 'createdAt') throw badField('sortBy', `must be createdAt with ${these}`)
  if (offset > farthest) throw badField('offset', `must not be greater than ${farthest} with these filters: use after`)
  return true
}

/** A page of such payments with the exact total. */
export async function listBetween(db: Db, query: PaymentQuery) {
  const { limit, offset, after, sortDirection } = query
  const between = filtered({
    ...query,
    type: chosen(query.type, query['type[]']),
    status: chosen(query.status, query['status[]']),
  })
  const order = query.order ?? (sortDirection === 'ASC' ? 'asc' : 'desc')
  const ids = await idsBetween(db, between, { order, after, limit, offset })
  return page(await paymentsOf(db, ids), { limit, offset }, await countBetween(db, between))
}

/** The filters of a list as they are read. */
const filtered = ({ type: types = [], status: statuses = [], ...others }: PaymentExportQuery): Between => ({
  ...others,
  types,
  statuses,
})

/** The ids of a page, in its order. */
async function idsBetween(
  db: Db,
  between: Between,
  place: { order: Order; after: string | undefined; limit: number; offset: number },
): Promise<string[]> {
  const { order, after, limit } = place
  if (limit === 0) return []
  if (between.reference === undefined) return await pageOfRuns(db, runsOf(between), place)
  const ids = await idsOfReference(db, between, between.reference)
  const behind = ids.filter((id) => after === undefined || (order === 'asc' ? id > after : id < after))
  return await pageOfRuns(db, [], place, behind)
}

/** All matching payments, a hundred at a time. */
export function allPayments(db: Db, query: PaymentExportQuery): AsyncGenerator<Payment[]> {
  const between = filtered(query)
  const { order = 'desc' } = query
  return inChunks(
    async ({ after, limit }) => paymentsOf(db, await idsBetween(db, between, { order, after, limit, offset: 0 })),
    { size: 100, start: undefined as string | undefined, keyOf: ({ id }) => id },
  )
}

/** Their number: from the counters, else counted in an index. */
async function countBetween(db: Db, between: Between): Promise<number> {
  const { types, statuses, participantId, reference, from, to } = between
  if (reference !== undefined) return (await idsOfReference(db, between, reference)).length
  if (participantId === undefined && from === undefined && to === undefined) {
    return sumOf((await countGroups(db, null)).filter((group) => isWanted({ types, statuses, currency: null }, group)))
  }
  let total = 0
  for (const run of runsOf(between)) total += await runList.count(db, run)
  // What goes from one of its accounts to another was counted twice.
  for (const run of participantId === undefined ? [] : partyRuns(between, ['own']))
    total -= await runList.count(db, run)
  return total
}

function runsOf(between: Between): Run[] {
  const { from, to, participantId } = between
  if (participantId !== undefined) return partyRuns(between, ['from', 'to'])
  if (between.types.length + between.statuses.length === 0) {
    return [{ form: { by: 'all', ...noFilters }, values: {}, from, to }]
  }
  return (between.types.length > 0 ? between.types : types).flatMap((runType) =>
    (between.statuses.length > 0 ? between.statuses : statuses).map((runStatus) => ({
      form: { by: 'group' as const, ...noFilters },
      values: { runType, runStatus },
      from,
      to,
    })),
  )
}

const partyRuns = ({ types, statuses, participantId: party, from, to }: Between, places: RunBy[]): Run[] =>
  places.map((by) => ({
    form: { by, ...filtersOf({ types, statuses, currency: null }) },
    values: { party, ...listValues('type', types), ...listValues('status', statuses) },
    from,
    to,
  }))

async function idsOfReference(db: Db, between: Between, reference: string): Promise<string[]> {
  const { types, statuses, participantId: party, from, to } = between
  const rows = await withReference(db).execute({ referenceKey: folded(reference) })
  return rows
    .filter((row) => isWanted({ types, statuses, currency: null }, row))
    .filter(({ createdAt }) => (from === undefined || createdAt >= from) && (to === undefined || createdAt <= to))
    .filter((row) => party === undefined || row.fromParticipantId === party || row.toParticipantId === party)
    .map(({ id }) => id)
}
