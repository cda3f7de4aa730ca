import { expect, test } from 'bun:test'
import { unboundedPlans } from '../src/engine/plans'
import { tempFile, tempStore } from './harness'

/** The steps that read too much, in a database with the tables of these tests. */
async function found(text: string): Promise<string[]> {
  const file = tempFile()
  const store = await tempStore({ file })
  await store.close()
  return unboundedPlans(file, [text]).map(({ step }) => step)
}

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
