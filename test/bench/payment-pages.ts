// How long a page of payments takes: `bun test/bench/payment-pages.ts [payments] [participants] [folder]`
// Seeds a database of its own and asks the real app for pages by all filters, searches, sorts and depths. Prints the
// slowest first, and how many of a hundred stay under the goal of 30 ms. A folder keeps the database for the next time.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { sorts } from '../../services/transaction-manager/src/lists/find-page'
import { definition } from '../../services/transaction-manager/src/service'
import { nameOf, seedPayments } from './payment-seed'

const payments = Number(process.argv[2] ?? 1_000_000)
const participants = Number(process.argv[3] ?? 200)
const rounds = 3
const goalMs = 30

const dataDir = process.argv[4] ?? tempDir()
if (!existsSync(join(dataDir, 'transactions.sqlite'))) await seedPayments(dataDir, { payments, participants })
const manager = await testService({ name: 'transaction-manager', dataDir, definition })

const filters: Record<string, string>[] = [
  {},
  { status: 'PENDING' },
  { status: 'PENDING,IN_REVIEW' },
  { status: 'COMPLETED' },
  { status: 'COMPLETED,FAILED', type: 'TRANSFER,DEPOSIT' },
  { type: 'WITHDRAWAL' },
  { type: 'DEPOSIT', status: 'REJECTED' },
  { search: nameOf(7) },
  { search: nameOf(11), status: 'COMPLETED' },
  { search: nameOf(13), type: 'TRANSFER', status: 'PENDING' },
  { search: 'bank 19' },
  { search: 'lakeside' },
  { search: 'lakeside', status: 'PENDING' },
  { search: 'bank' },
  { search: 'bank', type: 'DEPOSIT', status: 'FAILED' },
  { search: `ref-${payments >> 1}` },
  { search: 'nothing has this' },
]

interface Result {
  filter: string
  sort: string
  page: string
  total: number
  median: number
  worst: number
}
const results: Result[] = []
const times: number[] = []
for (const filter of filters) {
  const start = performance.now()
  for (const sortBy of sorts) for (const sortDirection of ['DESC', 'ASC']) await measure(filter, sortBy, sortDirection)
  console.error(JSON.stringify(filter), round(performance.now() - start))
}
results.sort((a, b) => b.median - a.median)
console.table(results.slice(0, 40))
times.sort((a, b) => a - b)
const share = (100 * times.filter((ms) => ms < goalMs).length) / times.length
const shown = [0.5, 0.9, 0.99, 1].map(
  (part) => `p${part * 100} ${round(times[Math.ceil(times.length * part) - 1] ?? 0)} ms`,
)
console.log(`${times.length} pages: ${shown.join(', ')}; ${round(share)} % under ${goalMs} ms`)
await manager.close()

async function measure(filter: Record<string, string>, sortBy: string, sortDirection: string) {
  const limit = 20
  const { total } = (await ask({ ...filter, limit: '0' })).pageInfo
  for (const [page, offset] of Object.entries({ first: 0, tenth: 9 * limit, hundredth: 99 * limit })) {
    if (offset > 0 && offset >= total) continue
    const took: number[] = []
    for (let i = 0; i < rounds; i++) {
      const start = performance.now()
      await ask({ ...filter, sortBy, sortDirection, offset: String(offset) })
      took.push(performance.now() - start)
    }
    times.push(...took)
    took.sort((a, b) => a - b)
    const [median, worst] = [round(took[rounds >> 1] ?? 0), round(took.at(-1) ?? 0)]
    const names = Object.entries(filter).map((pair) => pair.join('='))
    results.push({ filter: names.join(' '), sort: `${sortBy} ${sortDirection}`, page, total, median, worst })
  }
}

async function ask(query: Record<string, string>) {
  const { status, body } = await manager.get<{ pageInfo: { total: number } }>(
    `/transactions?${new URLSearchParams(query)}`,
  )
  if (status === 200) return body
  throw new Error(`${JSON.stringify(query)} answered ${status} ${JSON.stringify(body)}`)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
