// Pages of log messages by all filters, sorts and depths, and how long each takes.
import { dayMs, start } from '../tracker-seed'

const filters = { service: 'quote', type: 'WALLET_CREATED', status: 'FAILURE' }
const limit = 20

/** A page as the route answers it. */
export interface PageOfMessages {
  data: { request_id: string }[]
  pagination: { total: number }
}

/** Asks for a page; null where it is refused as too deep for its sort. Throws unless it is given or refused so. */
export type AskPage = (query: Record<string, string>) => Promise<PageOfMessages | null>

/** What the route answered, for `AskPage`. */
export function pageOf(query: Record<string, string>, status: number, body: unknown): PageOfMessages | null {
  if (status === 200) return body as PageOfMessages
  const said = JSON.stringify(body)
  if (status === 400 && said.includes('offset is too deep')) return null
  throw new Error(`${JSON.stringify(query)} answered ${status} ${said}`)
}

export interface PageTime {
  filters: string
  sort: string
  order: string
  page: string
  total: number
  first: number
  median: number
}

/** Times each page so many times, but for those refused as too deep; the slowest come first. */
export async function timePages(
  ask: AskPage,
  { days, rounds, sorts }: { days: number; rounds: number; sorts: readonly string[] },
): Promise<PageTime[]> {
  const end = start + days * dayMs
  const dates = {
    startDate: new Date(start + 0.2137 * (end - start)).toISOString(),
    endDate: new Date(start + 0.7713 * (end - start)).toISOString(),
  }
  const requestId = (await ask({ limit: '1' }))?.data[0]?.request_id ?? ''
  const times: PageTime[] = []
  for (const filter of [...combinations(dates), { requestId }, { ...filters, ...dates, requestId }]) {
    for (const sort of sorts) {
      for (const order of ['desc', 'asc']) times.push(...(await timeDepths(ask, filter, { sort, order, rounds })))
    }
  }
  return times.sort((a, b) => b.median - a.median)
}

async function timeDepths(
  ask: AskPage,
  filter: Record<string, string>,
  { sort, order, rounds }: { sort: string; order: string; rounds: number },
): Promise<PageTime[]> {
  const total = (await ask({ ...filter, limit: '0' }))?.pagination.total ?? 0
  const last = Math.max(0, Math.ceil(total / limit) - 1)
  // The seventh is near the deepest page that is given in the order of requests.
  const depths = { first: 0, seventh: Math.floor(last / 7), middle: last >> 1, 'third quarter': (last * 3) >> 2, last }
  const found: PageTime[] = []
  for (const [page, offset] of Object.entries(depths)) {
    const query = { ...filter, sortBy: sort, sortOrder: order, offset: String(offset) }
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = performance.now()
      if ((await ask(query)) === null) break
      times.push(Math.round((performance.now() - before) * 100) / 100)
    }
    const [first] = times
    if (first === undefined) continue
    const median = times.sort((a, b) => a - b)[rounds >> 1] ?? 0
    found.push({ filters: Object.keys(filter).join(' '), sort, order, page, total, first, median })
  }
  return found
}

/** Every subset of the three filters, with and without dates. */
function combinations(dates: Record<string, string>): Record<string, string>[] {
  let subsets: Record<string, string>[] = [{}]
  for (const [name, value] of Object.entries(filters)) {
    subsets = subsets.flatMap((subset) => [subset, { ...subset, [name]: value }])
  }
  return subsets.flatMap((subset) => [subset, { ...subset, ...dates }])
}

/** By the column of the order: how many took less than so many milliseconds. */
export const timesInWords = (times: readonly PageTime[], belowMs: number): string[] =>
  [...Map.groupBy(times, ({ sort }) => sort)].map(([sort, some]) => {
    const medians = some.map(({ median }) => median)
    const share = medians.filter((ms) => ms < belowMs).length / medians.length
    return (
      `${sort}: ${medians.length} combinations, slowest ${medians[0]} ms, middle ${medians[medians.length >> 1]} ms, ` +
      `${Math.round(share * 1000) / 10} % under ${belowMs} ms`
    )
  })
