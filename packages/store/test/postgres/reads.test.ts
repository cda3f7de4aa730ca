import { expect, test } from 'bun:test'
import { DatabaseLostError } from '../../src/engine/errors'
import type { Pool } from '../../src/postgres/pool'
import { readsOn } from '../../src/postgres/reads'
import { accessOf } from '../../src/statements/server'
import { failureOf } from '../harness'

const short = { writes: null, isInsert: false, reads: [], mayBeLong: false }
const long = { ...short, mayBeLong: true }

/** A pool of two connections, each of which has what it was asked, and answers when it is told to. */
function twoConnections() {
  const lines = [0, 1].map(() => ({ asked: [] as string[], answers: [] as PromiseWithResolvers<void>[] }))
  const free = [...lines]
  const waiting: (() => void)[] = []
  const pool: Pool = {
    async take() {
      if (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      const line = free.shift() as (typeof lines)[number]
      const giveBack = () => {
        free.push(line)
        waiting.shift()?.()
      }
      return {
        async run(text) {
          line.asked.push(text)
          const answer = Promise.withResolvers<void>()
          line.answers.push(answer)
          await answer.promise
          return { rows: [[text]], count: 1 }
        },
        script: async () => {},
        release: giveBack,
        drop: giveBack,
      }
    },
    close: async () => {},
  }
  const [first, second] = lines as [(typeof lines)[number], (typeof lines)[number]]
  return { pool, first, second }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `q${from + i}`)

test('reads have a connection each while there are any; then they go behind others, and one turn takes 32', async () => {
  const { pool, first, second } = twoConnections()
  const { run } = readsOn(pool, 2)
  const answers = texts(0, 40).map((text) => run(text, [], short))
  await settle()
  expect([first.asked, second.asked]).toEqual([['q0'], texts(1, 33)])
  // Who is answered gives its connection on, also to those that came after the turn was full.
  first.answers[0]?.resolve()
  await settle()
  expect(first.asked).toEqual(['q0', ...texts(33, 40)])
  for (const { resolve } of [...first.answers, ...second.answers]) resolve()
  expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.[0])).toEqual(texts(0, 40))
})

test('another holder of a connection gets its turn, however many reads there are', async () => {
  const { pool, first, second } = twoConnections()
  const { run } = readsOn(pool, 2)
  const reads = texts(0, 33).map((text) => run(text, [], short))
  await settle()
  const other = pool.take()
  reads.push(...texts(33, 60).map((text) => run(text, [], short)))
  for (const { resolve } of first.answers) resolve()
  const taken = await other
  expect(first.asked).toEqual(['q0'])
  taken.release()
  await settle()
  for (const { resolve } of [...first.answers, ...second.answers]) resolve()
  await Promise.all(reads)
})

test('what may be long has a connection for itself', async () => {
  const { pool, first, second } = twoConnections()
  const { run } = readsOn(pool, 2)
  const reads = [run('long', [], long), run('longer', [], long), run('q', [], short)]
  await settle()
  expect([first.asked, second.asked]).toEqual([['long'], ['longer']])
  second.answers[0]?.resolve()
  await settle()
  expect(second.asked).toEqual(['longer', 'q'])
  for (const { resolve } of [...first.answers, ...second.answers]) resolve()
  await Promise.all(reads)
})

test('nobody else has a connection while one of its reads is under way', async () => {
  const { pool, first } = twoConnections()
  const { run } = readsOn(pool, 1)
  const reads = ['a', 'b'].map((text) => run(text, [], short))
  await settle()
  const [, other] = [await pool.take(), pool.take()]
  let isTaken = false
  void other.then(() => {
    isTaken = true
  })
  first.answers[0]?.resolve()
  await settle()
  expect(isTaken).toBe(false)
  first.answers[1]?.resolve()
  await Promise.all([...reads, other])
})

test('one that fails fails alone, and its connection goes on', async () => {
  const { pool, first, second } = twoConnections()
  const { run } = readsOn(pool, 1)
  const [failing, other] = [failureOf(run('no', [], short)), run('yes', [], short)]
  await settle()
  first.answers[0]?.reject(new Error('refused'))
  await settle()
  first.answers[1]?.resolve()
  expect([String(await failing), (await other).count]).toEqual(['Error: refused', 1])
  const next = run('next', [], short)
  await settle()
  second.answers[0]?.resolve()
  expect((await next).count).toBe(1)
})

test('where there is no connection all that wait for it are told, and the next ones try again', async () => {
  const { pool, first } = twoConnections()
  let isAway = true
  const lost = new Bun.SQL.PostgresError('gone', { code: 'ERR_POSTGRES_CONNECTION_CLOSED' } as never)
  const { run } = readsOn({ ...pool, take: () => (isAway ? Promise.reject(lost) : pool.take()) }, 1)
  const failures = await Promise.all(['a', 'b'].map((text) => failureOf(run(text, [], short))))
  expect(failures).toEqual([expect.any(DatabaseLostError), expect.any(DatabaseLostError)])
  isAway = false
  const next = run('c', [], short)
  await settle()
  first.answers[0]?.resolve()
  expect((await next).count).toBe(1)
})

test.each([
  ['select "id" from "things" where "things"."id" = $1', false],
  ['select "id" from "things" where "things"."id" in ($1, $2)', false],
  ['select "id" from "things" where "at" > $1 order by "at" limit $2', true],
  ['select count(*) from "things"', true],
  ['select coalesce(sum("amount"), 0) from "things"', true],
  ['select "kind", max("at") from "things" group by "kind"', true],
  ['select "count" from "things" where "id" = $1', false],
])('%s: %p', (text, mayBeLong) => {
  expect(accessOf(text).mayBeLong).toBe(mayBeLong)
})
