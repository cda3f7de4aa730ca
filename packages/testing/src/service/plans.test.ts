import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { assertBoundedPlans } from './plans'

/** Tables things, parts, copies and jobs, and those that each service has. */
const migrations = join(import.meta.dir, '../../../store/test/migrations')

test('a service’s statement is named once, and those with a reason are not', async () => {
  const service = { service: 'test', migrations }
  const text = 'select id from things where amount = ?'
  const known = { small: { parts: 'There are few.' }, rare: { 'where count = ?': 'Once a year.' } }
  const allowed = ['select count(*) from "outbox"', 'select * from parts', 'select id from things where count = ?']
  await assertBoundedPlans(service, allowed, known)
  expect(assertBoundedPlans(service, [...allowed, text], known)).rejects.toThrow(`SCAN things: ${text}`)
  await assertBoundedPlans(service, [text], known)
})
