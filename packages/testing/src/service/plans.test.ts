import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { eq, param, prepared } from '@bursar/store'
import { integer, money, table, text } from '@bursar/store/schema'
import { tempDir } from '../temp-dir'
import { knownPlans } from './known-plans'
import { assertBoundedPlans, openExplained } from './plans'

/** Tables things, parts, copies and jobs, and those that each service has. */
const things = table('things', { id: text().primaryKey(), label: text(), count: integer(), amount: money() })
const migrations = join(import.meta.dir, '../../../store/test/migrations')

test('every service is checked', () => {
  expect([...knownPlans.keys()].sort()).toEqual(Object.keys(services).sort())
})

test('a service’s statement is named once, and those with a reason are not', async () => {
  const service = { service: 'test', migrations }
  const text = 'select id from things where amount = ?'
  const known = { small: { parts: 'There are few.' }, rare: { 'where count = ?': 'Once a year.' } }
  const allowed = ['select count(*) from "outbox"', 'select * from parts', 'select id from things where count = ?']
  await assertBoundedPlans(service, allowed, known)
  expect(assertBoundedPlans(service, [...allowed, text], known)).rejects.toThrow(`SCAN things: ${text}`)
  await assertBoundedPlans(service, [text], known)
})

test('what a store has prepared, on each of its connections, is checked when it is closed', async () => {
  const labelled = prepared((db) =>
    db
      .select({ id: things.id })
      .from(things)
      .where(eq(things.label, param('label'))),
  )
  const closing = async (run: (store: Awaited<ReturnType<typeof openExplained>>) => Promise<unknown>) => {
    const store = await openExplained({
      service: 'wallet',
      file: join(tempDir(), `${crypto.randomUUID()}.sqlite`),
      migrations,
    })
    await run(store)
    return await store.close().then(
      () => null,
      (error: Error) => error.message,
    )
  }
  expect(await closing(async () => {})).toBeNull()
  expect(await closing((store) => store.snapshot((db) => labelled(db).execute({ label: 'x' })))).toContain(
    'SCAN things',
  )
  const one = prepared((db) =>
    db
      .select({ id: things.id })
      .from(things)
      .where(eq(things.count, param('count'))),
  )
  expect(await closing((store) => one(store.read).execute({ count: 1 }))).toContain('"count"')
  const gone = prepared((db) => db.delete(things).where(eq(things.amount, param('amount'))))
  expect(await closing((store) => store.commit((tx) => gone(tx).execute({ amount: 1n })))).toContain('delete')
})
