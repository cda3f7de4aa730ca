import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { migrations } from '../../../services/log-tracker/src/service'
import { seedMessages } from '../tracker-seed'
import { type Bench, fillDatabase, startOn } from './subjects'
import { type AskPage, pageOf, timePages, timesInWords } from './tracker-queries'

const days = 30
const belowMs = 50

interface Wanted {
  messages: number
  rounds: number
  tell: (said: string) => void
}

/** How long pages of so many log messages take over HTTP, by all filters, in the order of time and of requests. */
export async function timeTracker(bench: Bench, wanted: Wanted): Promise<{ text: string; met: boolean }> {
  const { messages, rounds, tell } = wanted
  tell(`making ${messages.toLocaleString('en')} log messages`)
  const file = join(bench.newFolder(), 'tracker.sqlite')
  await (await openStore({ service: 'log-tracker', file, migrations })).close()
  seedMessages(new Database(file), { messages, days })
  const of = { name: 'log-tracker', slug: 'tracker' }
  const url = await fillDatabase(bench, { ...of, database: 'tracker', file })
  const tracker = await startOn(bench, { ...of, url })
  const ask: AskPage = async (query) => {
    const answer = await fetch(`${tracker.url}/v1/log-messages?${new URLSearchParams(query)}`)
    return pageOf(query, answer.status, await answer.json())
  }
  tell('asking for pages of log messages')
  try {
    const times = await timePages(ask, { days, rounds, sorts: ['timestamp', 'service', 'status', 'request_id'] })
    const slow = times.filter(({ median }) => median >= belowMs)
    const slowest = times.slice(0, 10).map(({ filters, sort, order, page, total, median }) => {
      const by = `${filters || 'no filter'}, by ${sort} ${order}, ${page} page`
      return `- ${median} ms: ${by} of ${total.toLocaleString('en')}`
    })
    const head = `Pages of ${messages.toLocaleString('en')} log messages on PostgreSQL, over HTTP; the slowest:`
    return {
      text: [head, ...slowest, '', ...timesInWords(times, belowMs)].join('\n'),
      met: slow.length === 0,
    }
  } finally {
    await tracker.stop()
  }
}
