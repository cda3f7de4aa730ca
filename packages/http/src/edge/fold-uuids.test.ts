import { expect, test } from 'bun:test'
import { nullable, t, uuid } from '@bursar/contracts/schema'
import { uuidFold } from './fold-uuids'

const upper = '018F2F3E-0000-7000-8000-00000000000A'
const lower = upper.toLowerCase()

test('UUIDs are folded wherever the schema has one, and nothing else is', () => {
  const Party = t.Object({ id: uuid(), externalId: t.String() })
  const fold = uuidFold(t.Object({ owner: Party, parties: t.Optional(t.Array(Party)), parent: nullable(uuid()) }))
  const party = { id: upper, externalId: upper }
  const folded = { id: lower, externalId: upper }
  const value = { owner: { ...party }, parties: [{ ...party }, { ...party }], parent: upper, other: upper }
  expect(fold?.(value)).toEqual({ owner: folded, parties: [folded, folded], parent: lower, other: upper })
})

test.each([t.String(), t.Object({ name: t.String() }), t.Array(t.Integer()), t.Any(), t.Union([uuid(), t.String()])])(
  'a schema without a UUID asks for nothing: %j',
  (schema) => {
    expect(uuidFold(schema)).toBeNull()
  },
)

test.each([
  [null],
  [undefined],
  [5],
  ['text'],
  [[]],
  [{}],
  [{ owner: null, list: 7 }],
  [{ owner: 'x', list: [1, null] }],
])('what has another form is left to the validation: %j', (value) => {
  const fold = uuidFold(t.Object({ owner: t.Object({ id: uuid() }), list: t.Array(uuid()) }))
  expect(fold?.(structuredClone(value))).toEqual(value as never)
})
