import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { type Names, nameOf } from './combinations'
import { type CutBlock, countByBlock, countByName, readBlocksIn, spanOf, sumOf } from './count-messages'
import type { LogMessage, SortKey, SortOrder } from './log-messages.model'
import type { Span } from './message-filter'
import {
  type PageRequest,
  readAlongRequests,
  readAlongTime,
  readByRequestOfSeries,
  readByTimeOfSeries,
} from './read-messages'
import { readTimeBlocks } from './time-blocks'

/**
 * The cost of looking up and sorting a message by series, in units of one message skipped in an index. To sort
 * by request, the message itself has to be read.
 */
const lookUpCost = { timestamp: 6, request: 14 }

/** How much a page sorted by request id may cost: blocks do not count these. */
export const requestLimits = {
  /** The maximum number of messages read in the order of request ids, from the nearer end; one by one, matching or not. */
  passed: 150_000,
  /** The maximum number of matching messages that are looked up and sorted. */
  sorted: 5000,
}
export type RequestLimits = typeof requestLimits

/**
 * A page of the `total` matching messages; the page begins before the last of them. Fails (400) when it is
 * sorted by request id and too many messages are before it and after it.
 */
export function findPage(
  db: Db,
  sort: SortKey,
  order: SortOrder,
  request: PageRequest,
  { total, limits = requestLimits }: { total: number; limits?: RequestLimits },
): Promise<LogMessage[]> {
  if (sort === 'timestamp') return findByTime(db, order, request)
  if (sort === 'request_id') return findByRequest(db, order, request, { total, limits })
  return findByName(db, nameOf[sort], order, request)
}

/** Sorted by a name that many messages share: the page lies within one value, or spans several. */
async function findByName(db: Db, name: keyof Names, order: SortOrder, request: PageRequest): Promise<LogMessage[]> {
  const values = (await countByName(db, name, request, request)).sort((a, b) => (a.value < b.value ? -1 : 1))
  if (order === 'desc') values.reverse()
  const found: LogMessage[] = []
  let { offset } = request
  for (const { value, messages } of values) {
    const limit = request.limit - found.length
    if (limit === 0) break
    if (offset < messages) found.push(...(await findByTime(db, order, { ...request, [name]: value, offset, limit })))
    offset = Math.max(0, offset - messages)
  }
  return found
}

/** Sorted by time. Deep pages cost little more than the first: the blocks locate them. */
async function findByTime(db: Db, order: SortOrder, request: PageRequest): Promise<LogMessage[]> {
  const blocks = await readBlocksIn(db, request)
  const place = await placeOfPage(db, order, request, blocks)
  if (!place) return []
  const { from, to, offset } = place
  const read = place.wanted * lookUpCost.timestamp < place.messages ? readByTimeOfSeries : readAlongTime
  return await read(db, order, { ...request, from, to, offset })
}

/** The period that contains a page, and the number of its matching messages before the page. */
interface Place extends Span {
  offset: number
  wanted: number
  /** All messages of these blocks, matching or not. */
  messages: number
}

async function placeOfPage(
  db: Db,
  order: SortOrder,
  request: PageRequest,
  blocks: readonly CutBlock[],
): Promise<Place | undefined> {
  const end = request.offset + request.limit
  // The first pages are requested most, and the nearest few blocks contain them.
  for (let reach = 4; ; reach *= 8) {
    const near = order === 'asc' ? blocks.slice(0, reach) : blocks.slice(-reach)
    const counts = await countByBlock(db, request, near)
    const counted = near.map((block, i) => ({ ...block, wanted: counts[i] ?? 0 }))
    if (near.length === blocks.length || counts.reduce((sum, wanted) => sum + wanted, 0) >= end) {
      return placeAmong(order === 'asc' ? counted : counted.reverse(), request)
    }
  }
}

/** `blocks` are in the order of the page. */
function placeAmong(
  blocks: readonly (CutBlock & { wanted: number })[],
  { offset, limit }: { offset: number; limit: number },
): Place | undefined {
  let before = 0
  let wanted = 0
  const held: CutBlock[] = []
  for (const block of blocks) {
    if (held.length === 0 && before + block.wanted <= offset) {
      before += block.wanted
      continue
    }
    held.push(block)
    wanted += block.wanted
    if (before + wanted >= offset + limit) break
  }
  const span = spanOf(held.sort((a, b) => +a.from - +b.from))
  return span && { ...span, offset: offset - before, wanted, messages: sumOf(held) }
}

/** Sorted by request id, which blocks do not count: read from the nearer end, in the cheaper of two ways. */
async function findByRequest(
  db: Db,
  order: SortOrder,
  request: PageRequest,
  { total, limits }: { total: number; limits: RequestLimits },
): Promise<LogMessage[]> {
  const limit = Math.min(request.limit, total - request.offset)
  const after = total - request.offset - limit
  const isNearer = after < request.offset
  const offset = isNearer ? after : request.offset
  const page = { ...request, offset, limit }
  const direction = isNearer ? opposite[order] : order
  const found = await readByRequest(db, direction, page, { total, limits })
  return isNearer ? found.reverse() : found
}

async function readByRequest(
  db: Db,
  order: SortOrder,
  page: PageRequest,
  { total, limits }: { total: number; limits: RequestLimits },
): Promise<LogMessage[]> {
  const canSort = total <= limits.sorted
  const everything = sumOf(await readTimeBlocks(db))
  const expected = ((page.offset + page.limit) * everything) / total
  if (!canSort || expected <= total * lookUpCost.request) {
    const found = await readAlongRequests(db, order, { ...page, most: limits.passed + page.limit })
    if (found.length === page.limit) return found
  }
  if (!canSort) throw tooDeep()
  return await readByRequestOfSeries(db, order, page)
}

function tooDeep() {
  const message =
    'offset is too deep for the sort by request_id: narrow the list with filters, or sort by another field'
  return fail('INVALID_REQUEST', { message, details: [{ field: 'offset', message }] })
}

const opposite = { asc: 'desc', desc: 'asc' } as const
