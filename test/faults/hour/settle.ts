import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { RedisClient } from 'bun'
import { names, type Stack } from './stack'

/** Rows of a database, read beside its service. */
export function rows<T>(stack: Pick<Stack, 'dataDir'>, name: keyof typeof services, sql: string): T[] {
  const database = new Database(join(stack.dataDir, `${services[name].slug}.sqlite`), { readonly: true })
  try {
    database.run('PRAGMA busy_timeout = 5000')
    return database.query<T, []>(sql).all()
  } finally {
    database.close()
  }
}

const number = (stack: Stack, name: keyof typeof services, sql: string) =>
  rows<{ n: number }>(stack, name, sql)[0]?.n ?? 0

/** What is still to be done: events on their way, dead letters, work. */
export async function leftOver(stack: Stack): Promise<Record<string, number>> {
  const left: Record<string, number> = {}
  for (const name of names) left[`outbox ${name}`] = number(stack, name, 'SELECT count(*) n FROM outbox')
  const client = new RedisClient(stack.redis.url)
  for (const name of names) {
    for (const list of ['wait', 'active']) {
      left[`${list} ${name}`] = Number(await client.send('LLEN', [`bursar:${name}:${list}`]))
    }
    for (const set of ['delayed', 'failed', 'prioritized']) {
      left[`${set} ${name}`] = Number(await client.send('ZCARD', [`bursar:${name}:${set}`]))
    }
  }
  client.close()
  left.work = number(stack, 'core-ledger', 'SELECT count(*) n FROM work')
  return left
}

/** Waits until nothing is under way and the work stays as it is; gives what is left then. */
export async function settle(stack: Stack, longestMs: number, log: (line: string) => void) {
  const end = performance.now() + longestMs
  let unchanged = 0
  let before = ''
  for (;;) {
    const left = await leftOver(stack)
    const { work, ...moving } = left
    const isStill = Object.values(moving).every((one) => one === 0)
    unchanged = isStill && JSON.stringify(left) === before ? unchanged + 1 : 0
    before = JSON.stringify(left)
    if (unchanged >= 10 || performance.now() > end) return left
    if (Math.random() < 0.1)
      log(`settling: ${JSON.stringify(Object.fromEntries(Object.entries(left).filter(([, n]) => n)))}`)
    await Bun.sleep(1000)
  }
}
