import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { askWhetherUsed, consoleFetch, queryText } from './http'

test('a query leaves out what is not given', () => {
  expect(queryText({ status: 'FROZEN', q: '', limit: 50, count: true, after: undefined })).toBe(
    '?status=FROZEN&limit=50&count=true',
  )
  expect([queryText({}), queryText({ q: '' }), queryText()]).toEqual(['', '', ''])
})

const sent = spyOn(globalThis, 'fetch')
afterAll(() => sent.mockRestore())
afterEach(() => {
  sent.mockReset()
  askWhetherUsed(() => true)
})

test('every request has the header of the console; what no person waits for says so', async () => {
  const requests: Request[] = []
  sent.mockImplementation((async (request: Request) => {
    requests.push(request)
    return new Response('{}')
  }) as typeof fetch)
  const ask = () => consoleFetch(new Request('https://desk.example/console/api/session'))
  await ask()
  askWhetherUsed(() => false)
  await ask()
  expect(requests.map(({ headers }) => [headers.get('x-console'), headers.get('x-console-background')])).toEqual([
    ['1', null],
    ['1', '1'],
  ])
})
