import { expect, test } from 'bun:test'
import { looksTheSame, shownRow } from './shown-row'

const row = { id: 'a' }
const idOf = ({ id }: { id: string }) => id
const shown = (table: object, of = row) => shownRow({ idOf, ...table }, of)

const checkboxes = (isSelected: boolean, isSelectable = true) => ({
  selecting: { isSelectable: () => isSelectable, isSelected: () => isSelected, nameOf: () => 'a row' },
})

test('a row looks the same when its table is rendered again, with functions of its own each time', () => {
  const table = () => ({ hrefOf: () => '/a', onSelect: () => {}, selectedId: 'b', ...checkboxes(true) })
  expect(looksTheSame(shown(table()), shown(table()))).toBe(true)
})

test.each<[string, object, object, { id: string }?]>([
  ['another record', {}, {}, { id: 'a' }],
  ['another page', { hrefOf: () => '/a' }, { hrefOf: () => '/b' }],
  ['chosen', { selectedId: null }, { selectedId: 'a' }],
  ['to be chosen', {}, { onSelect: () => {} }],
  ['selected', checkboxes(false), checkboxes(true)],
  ['not to be selected any more', checkboxes(false), checkboxes(false, false)],
  ['with a checkbox', {}, checkboxes(false)],
])('it does not when it is %s', (_, before, after, next = row) => {
  expect(looksTheSame(shown(before), shown(after, next))).toBe(false)
})

test('nor with other columns', () => {
  expect(looksTheSame({ ...shown({}), columns: [] }, { ...shown({}), columns: [] })).toBe(false)
})
