// The three forms of an error's body in docs/api.md are those that the services answer.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { AppError, type ErrorShape, errorBody } from '@bursar/http'

const page = await Bun.file(join(import.meta.dir, '../../docs/api.md')).text()
const place = { requestId: 'r-1', path: '/v1/assets', timestamp: '2026-01-31T12:00:00.000Z' }

/** The names of a form in the page, in their order; those with a question mark are not always there. */
function told(row: string): { always: string[]; sometimes: string[] } {
  // A name begins the form, or follows a comma or a brace; `error` is one again inside of the first form.
  const names = [...row.matchAll(/[{,] ?"(\w+)"(\?)?/g)].map(([, name = '', mark]) => ({ name, isAlways: !mark }))
  return {
    always: names.filter(({ isAlways }) => isAlways).map(({ name }) => name),
    sometimes: names.filter(({ isAlways }) => !isAlways).map(({ name }) => name),
  }
}

const namesIn = (body: object): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    name === 'error' && typeof value === 'object' && !Array.isArray(value) ? [name, ...Object.keys(value)] : [name],
  )

test.each<[ErrorShape, string]>([
  ['object', '{"error": {'],
  ['list', '"error": ["'],
  ['message', '"error": "Bad Request"'],
])('the form %s has the names that docs/api.md tells', (shape, mark) => {
  const row = page.split('\n').find((line) => line.startsWith('| `{') && line.includes(mark)) ?? ''
  const { always, sometimes } = told(row)
  const plain = new AppError('INVALID_REQUEST', 400, 'It is wrong')
  const detailed = new AppError('INVALID_REQUEST', 400, 'It is wrong', { details: { why: 'so' } })
  expect(namesIn(errorBody(shape, plain, place)).sort()).toEqual(always.sort())
  expect(namesIn(errorBody(shape, detailed, place)).sort()).toEqual([...always, ...sometimes].sort())
})
