// The end of a run: faults are over, and the platform goes on until nothing is open, or nothing moves any more.
import type { ServiceName } from '@bursar/contracts/services'
import { mapConcurrent } from '@bursar/http'
import { builtServices } from '@bursar/testing/platform'
import { RedisClient } from 'bun'
import { decide, type Listed, verdictOn, wakeOne } from './actors/operators'
import { knowledgeOf } from './knowledge'
import { decideOnHeld } from './operator'
import { newRecounter, type Recounter } from './recount/apart'
import type { Finding } from './recount/finding'
import { rows } from './recount/read-files'
import { rpc } from './rpc'
import type { Stack } from './stack'
import type { World } from './world'

/** How long nothing but events must be open, and nothing found. */
const wholeMs = 20_000

interface Settling {
  world: World
  excused: ReadonlySet<string>
  /** How long nothing may move before the run is over. */
  stillMs: number
  /** The longest that it may take at all. */
  longestMs: number
  print(line: string): void
}

/** What is left open in the end; {} when nothing is. */
export async function settle(settling: Settling): Promise<Record<string, number>> {
  const recounter = newRecounter()
  try {
    return await settleWith(recounter, settling)
  } finally {
    recounter.end()
  }
}

async function settleWith(recounter: Recounter, settling: Settling): Promise<Record<string, number>> {
  const { world, stillMs, longestMs, print } = settling
  const { stack } = world
  while (world.suspended.size > 0) await wakeOne(world)
  leap(stack, 1)
  const head = Number(await rpc<string>(stack.node.url, 'eth_blockNumber'))
  const [end, before] = [performance.now() + longestMs, { text: '', at: performance.now(), look: 0 }]
  let findings: Finding[] = []
  for (let look = 0; ; look++) {
    const open = await openIn(stack, head)
    const isEmpty = Object.keys(open).length === 0
    if (isEmpty || look % 20 === 19) findings = await recountLive(recounter, world, settling.excused)
    if (isEmpty && findings.length === 0) return {}
    // Events come and go by themselves: seals, reconciliations.
    const work = Object.entries(open).filter(([what]) => !what.startsWith('events'))
    const text = JSON.stringify([work, findings.map(({ id }) => id)])
    if (text !== before.text) Object.assign(before, { text, at: performance.now(), look })
    const now = performance.now()
    // What a restore has taken from a service, an event may still speak of: it ends among the dead letters.
    const isWhole = work.length === 0 && findings.length === 0 && look > 10 && now - before.at > wholeMs
    // All clocks have gone on twice by then: on a busy machine a look takes long.
    const isStill = now - before.at > stillMs && look - before.look >= 2 * looksBetweenLeaps
    if (isWhole || isStill || now > end) return open
    if (look % 20 === 19)
      print(`settling: ${JSON.stringify(open)}, ${findings.length} findings: ${findings[0]?.what ?? 'none'}`)
    // Work that was retried in between may wait again.
    const leaps = Math.ceil(look / looksBetweenLeaps)
    if (look % looksBetweenLeaps === looksBetweenLeaps - 1 && leaps <= mostLeaps) leap(stack, leaps + 1)
    if (look % 5 === 4) await reviewAll(world)
    if (look % 5 === 4) await retryAll(world)
    if (look % 10 === 9) await decideOnHeld(world)
    await Bun.sleep(500)
  }
}

/**
 * What waits to be tried again may wait for minutes, and for an hour where that was set by a clock an hour ahead: the
 * clocks of all go on by more, `times` as much altogether.
 */
function leap(stack: Stack, times: number): void {
  for (const unit of stack.units) stack.setClock(unit, times * 4_200_000)
}
/** Less than a day in all, for which keys of requests are kept. */
const mostLeaps = 12
const looksBetweenLeaps = 10

async function recountLive(recounter: Recounter, world: World, excused: ReadonlySet<string>): Promise<Finding[]> {
  const knowledge = await knowledgeOf(world, excused)
  const { file, node } = world.stack
  const files = Object.fromEntries(builtServices().map((service) => [service, file(service)]))
  return recounter.recount({ files, nodeUrl: node.url, token: node.token, knowledge })
}

/** What screening has frozen, before or after its approval, is decided on: by then nothing else keeps it. */
async function reviewAll(world: World): Promise<void> {
  for (let page = 0; page < mostPages; page++) {
    const path = '/transactions?status=FROZEN&limit=100'
    const { status, body } = await world.client.send('GET', 'core-ledger', path, { patienceMs: 5000 })
    if (status !== 200) return
    const answers = await mapConcurrent(body as Listed[], 10, async (found) => {
      const answered = await decide(world, found, verdictOn(found))
      // The wallet service may have paid it: it cannot be rejected any more.
      return answered === 409 ? decide(world, found, 'approve') : answered
    })
    if (!answers.includes(200)) return
  }
}
/** Thousands are frozen after an hour. */
const mostPages = 5

/** An operator's way on: what failed is tried again at once, and given up where its institution is gone. */
async function retryAll({ client, offboarded }: World): Promise<void> {
  const { status, body } = await client.send('GET', 'core-ledger', '/transactions/stuck?limit=50', { patienceMs: 5000 })
  if (status !== 200) return
  for (const { id, accountId } of body as { id: string; accountId: string }[]) {
    const isGivenUp = offboarded.has(accountId)
    const [way, words] = isGivenUp ? ['fail', { reason: 'its institution is gone' }] : ['retry', {}]
    await client.send('POST', 'core-ledger', `/transactions/${id}/${way}`, { body: words, patienceMs: 5000 })
  }
}

const questions: readonly (readonly [service: ServiceName, what: string, sql: string])[] = [
  ['core-ledger', 'not screened', "SELECT count(*) n FROM transactions WHERE status = 'PENDING'"],
  ['core-ledger', 'frozen', "SELECT count(*) n FROM transactions WHERE status = 'FROZEN'"],
  ['core-ledger', 'approved', "SELECT count(*) n FROM transactions WHERE status = 'APPROVED'"],
  ['wallet', 'orders', 'SELECT count(*) n FROM orders WHERE due_at IS NOT NULL'],
  ['blockchain', 'sends', 'SELECT count(*) n FROM sends WHERE due_at IS NOT NULL'],
  ['blockchain', 'transfers', "SELECT count(*) n FROM transfers WHERE status = 'pending'"],
  ['blockchain', 'orders of institutions', 'SELECT count(*) n FROM transactions WHERE due_at IS NOT NULL'],
]

/** Blocks of the node that no service has read, work, events on their way. */
async function openIn(stack: Stack, head: number): Promise<Record<string, number>> {
  const open: Record<string, number> = {}
  const note = (what: string, n: number) => {
    if (n > 0) open[what] = n
  }
  for (const [service, what, sql] of questions) note(what, numberIn(stack, service, sql))
  const read = numberIn(
    stack,
    'blockchain',
    "SELECT max(block) n FROM cursors WHERE network = 'ethereum' AND account = ''",
  )
  note('blocks', head - read)
  for (const name of builtServices()) note(`events of ${name}`, numberIn(stack, name, 'SELECT count(*) n FROM outbox'))
  const redis = new RedisClient(stack.redis.url)
  for (const name of builtServices()) {
    const lists = await Promise.all(['wait', 'active'].map((list) => redis.send('LLEN', [`bursar:${name}:${list}`])))
    const sets = await Promise.all(['delayed', 'failed'].map((set) => redis.send('ZCARD', [`bursar:${name}:${set}`])))
    note(
      `events for ${name}`,
      [...lists, ...sets].reduce((sum: number, n) => sum + Number(n), 0),
    )
  }
  redis.close()
  return open
}

function numberIn(stack: Stack, service: ServiceName, sql: string): number {
  return rows<{ n: number | null }>(stack.file(service), sql)[0]?.n ?? 0
}
