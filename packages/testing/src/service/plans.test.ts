import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { assertBoundedPlans, unboundedPlans } from './plans'

/** Tables things, parts, copies and jobs, and those that each service has. */
const migrations = join(import.meta.dir, '../../../store/test/migrations')
const found = async (text: string) => (await unboundedPlans(migrations, [text])).map(({ step }) => step)

test.each([
  ['a whole table', 'select id from things where amount = ?', 'SCAN things'],
  ['a whole index', 'select distinct asset_code from things', 'SCAN things USING COVERING INDEX things_asset_code'],
  ['an order without an index', 'select id from things order by label limit ?', 'SCAN things'],
  ['a filter of a page that no index has', 'select id from things where label = ? order by id limit ?', /^SCAN things/],
  ['all of a kind', 'select record_id from changes where kind = ?', /^SEARCH changes USING .* \(kind=\?\)$/],
  [
    'a part of a join',
    'select 1 from things join parts on parts.thing_id = things.id where things.id = ?',
    'SCAN parts',
  ],
  ['a delete of what no index finds', 'delete from parts where thing_id = ?', 'SCAN parts'],
])('%s is found', async (_, text, step) => {
  expect(await found(text)).toEqual([expect.stringMatching(step)])
})

test.each([
  ['a key', 'select id from things where id = ?'],
  [
    'keys of a batch',
    'update things set label = given.column1 from (values (?, ?), (?, ?)) as given where things.id = given.column2',
  ],
  ['a key of two columns', 'select seq from changes where kind = ? and record_id = ?'],
  ['a range', 'select seq from changes where kind = ? and seq > ? order by seq limit ?'],
  ['a page in the order of an index', 'select id from things order by created_at limit ?'],
  ['what a partial index has', 'select count(*) from jobs where due_at is not null'],
  ['the highest', 'select max("seq") from changes where kind = ?'],
])('%s is bounded', async (_, text) => {
  expect(await found(text)).toEqual([])
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
