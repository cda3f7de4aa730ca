import { page } from '@bursar/http'
import { type Db, folded, idFloor, inChunks, listValues } from '@bursar/store'
import { badField } from '../errors'
import type { Payment } from '../payments/payments.model'
import { type PaymentStatus, type PaymentType, statuses, types } from '../payments/states'
import { countGroups, sumOf } from './count-payments'
import { filtersOf, isWanted, noFilters } from './find-page'
import { rowsOf } from './list-payments'
import type { PaymentExportQuery, PaymentQuery } from './lists.model'
import { countRun, endInRun, type Order, type RunBy, readRun } from './page-reads'
import { withReference } from './search'

/** Payments in order of creation, by filters that an index covers. */
export interface Between {
  types: readonly PaymentType[]
  statuses: readonly PaymentStatus[]
  participantId: string | undefined
  reference: string | undefined
  order: Order
  /** Ids are made at `createdAt`: times are bounds of ids. Both are exclusive. */
  low: string
  high: string
}

const beforeAll = ''
const afterAll = 'g'

/** Each run is read to the end of the page: deeper pages are read with `after`. */
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
    type: query.type ?? query['type[]'],
    status: query.status ?? query['status[]'],
    order: query.order ?? (sortDirection === 'ASC' ? 'asc' : 'desc'),
  })
  const ids = await idsBetween(db, behind(between, after ?? null), { limit, offset })
  return page(await rowsOf(db, ids), { limit, offset }, await countBetween(db, between))
}

/** The filters of a list, parsed. */
const filtered = (query: PaymentExportQuery): Between => ({
  types: query.type ?? [],
  statuses: query.status ?? [],
  participantId: query.participantId,
  reference: query.reference,
  order: query.order ?? 'desc',
  low: query.from ? idFloor(query.from) : beforeAll,
  high: query.to ? idFloor(new Date(query.to.getTime() + 1)) : afterAll,
})

/** The payments after the one with this id. */
function behind(between: Between, id: string | null): Between {
  if (id === null) return between
  const { order, low, high } = between
  return order === 'asc' ? { ...between, low: id > low ? id : low } : { ...between, high: id < high ? id : high }
}

/** The ids of a page, in its order. */
async function idsBetween(
  db: Db,
  between: Between,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const found: string[] = []
  if (limit === 0) return found
  if (between.reference !== undefined) found.push(...(await idsOfReference(db, between, between.reference)))
  else {
    for (const run of runsOf(between)) found.push(...(await idsOfRun(db, run, between.order, offset + limit)))
  }
  const sorted = [...new Set(found)].sort()
  if (between.order === 'desc') sorted.reverse()
  return sorted.slice(offset, offset + limit)
}

/** All matching payments, a hundred at a time. */
export function allPayments(db: Db, query: PaymentExportQuery): AsyncGenerator<Payment[]> {
  const between = filtered(query)
  return inChunks(
    async ({ after, limit }) => rowsOf(db, await idsBetween(db, behind(between, after), { limit, offset: 0 })),
    { size: 100, start: null as string | null, keyOf: ({ id }) => id },
  )
}

/** Their number: from the counters, else counted in an index. */
async function countBetween(db: Db, between: Between): Promise<number> {
  const { types, statuses, participantId, reference, low, high } = between
  if (reference !== undefined) return (await idsOfReference(db, between, reference)).length
  if (participantId === undefined && low === beforeAll && high === afterAll) {
    return sumOf((await countGroups(db, null)).filter((group) => isWanted({ types, statuses, currency: null }, group)))
  }
  let total = 0
  for (const run of runsOf(between)) total += await countOf(db, run)
  // A transfer between its own accounts was counted twice.
  for (const run of participantId === undefined ? [] : partyRuns(between, ['own'])) total -= await countOf(db, run)
  return total
}

/** Payments scanned at once: other requests are answered in between. */
const atOnce = 10_000

/** The parts of a run, of `atOnce` payments each, in an order: few of them may match a filter. */
async function* partsOf(db: Db, { form, values }: Run, order: Order): AsyncGenerator<{ low: string; high: string }> {
  const end = endInRun({ by: form.by, order })(db)
  for (let { low, high } = values; ; ) {
    const [last] = await end.execute({ ...values, low, high, skip: atOnce - 1 })
    if (!last) return yield { low, high }
    const { id } = last
    if (order === 'asc') {
      yield { low, high: above(id) }
      low = id
    } else {
      yield { low: id, high }
      high = above(id)
    }
    await new Promise(setImmediate)
  }
}

/** The range of ids after the given one. */
const above = (id: string): string => `${id}!`

/** The first ids of a run. */
async function idsOfRun(db: Db, run: Run, order: Order, limit: number): Promise<string[]> {
  const { form, values } = run
  const read = readRun({ ...form, order, between: true })(db)
  if (form.types + form.statuses === 0) return idsIn(await read.execute({ ...values, limit, offset: 0 }))
  const found: string[] = []
  for await (const part of partsOf(db, run, order)) {
    found.push(...idsIn(await read.execute({ ...values, ...part, limit: limit - found.length, offset: 0 })))
    if (found.length >= limit) break
  }
  return found
}

const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** The number of payments of a run within its bounds, counted in its index. */
async function countOf(db: Db, run: Run): Promise<number> {
  const count = countRun(run.form)(db)
  let total = 0
  for await (const part of partsOf(db, run, 'asc')) {
    const [counted] = await count.execute({ ...run.values, ...part })
    total += counted?.payments ?? 0
  }
  return total
}

interface Run {
  form: Parameters<typeof countRun>[0]
  values: Record<string, unknown> & { low: string; high: string }
}

function runsOf(between: Between): Run[] {
  const { low, high, participantId } = between
  if (participantId !== undefined) return partyRuns(between, ['from', 'to'])
  if (between.types.length + between.statuses.length === 0) {
    return [{ form: { by: 'all', ...noFilters }, values: { low, high } }]
  }
  return (between.types.length > 0 ? between.types : types).flatMap((runType) =>
    (between.statuses.length > 0 ? between.statuses : statuses).map((runStatus) => ({
      form: { by: 'group' as const, ...noFilters },
      values: { low, high, runType, runStatus },
    })),
  )
}

const partyRuns = ({ types, statuses, participantId: party, low, high }: Between, places: RunBy[]): Run[] =>
  places.map((by) => ({
    form: { by, ...filtersOf({ types, statuses, currency: null }) },
    values: { low, high, party, ...listValues('type', types), ...listValues('status', statuses) },
  }))

async function idsOfReference(db: Db, between: Between, reference: string): Promise<string[]> {
  const { types, statuses, participantId: party, low, high } = between
  const rows = await withReference(db).execute({ referenceKey: folded(reference) })
  return rows
    .filter((row) => isWanted({ types, statuses, currency: null }, row) && low < row.id && row.id < high)
    .filter((row) => party === undefined || row.fromParticipantId === party || row.toParticipantId === party)
    .map(({ id }) => id)
}
