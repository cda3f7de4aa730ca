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

/** Answers with these, one after the other; what was asked for. */
function answers(...all: Response[]): string[] {
  const asked: string[] = []
  sent.mockImplementation((async (request: Request) => {
    asked.push(`${request.method} ${await request.text()}`)
    return all.shift() ?? new Response('{}')
  }) as typeof fetch)
  return asked
}
const decide = () => consoleFetch(new Request('https://desk.example/console/api/core', { method: 'POST', body: 'yes' }))
const tooMany = (seconds: number) => new Response('{}', { status: 429, headers: { 'retry-after': String(seconds) } })

test('what came too fast is sent again, whole, after the pause that the gateway names', async () => {
  const asked = answers(tooMany(0), tooMany(0))
  expect((await decide()).status).toBe(200)
  expect(asked).toEqual(['POST yes', 'POST yes', 'POST yes'])
})

test('a long pause is for the person to make, and nothing is sent for ever', async () => {
  const asked = answers(tooMany(300))
  await expect(decide()).rejects.toMatchObject({ status: 429 })
  expect(asked).toHaveLength(1)
  answers(...Array.from({ length: 9 }, () => tooMany(0)))
  await expect(decide()).rejects.toMatchObject({ status: 429 })
})

test.each(['<!doctype html>', '[{"id":"0199'])('an answer that cannot be read is none: %s', async (body) => {
  answers(new Response(body))
  await expect(decide()).rejects.toMatchObject({ status: 0, isUncertain: true })
  answers(new Response(body, { status: 502 }))
  await expect(decide()).rejects.toMatchObject({ status: 502 })
})

test('an answer keeps its status, its headers and its text', async () => {
  answers(new Response('[1]', { status: 202, headers: { 'x-total-count': '9' } }), new Response(null, { status: 204 }))
  const answer = await decide()
  expect([answer.status, answer.headers.get('x-total-count'), await answer.json()]).toEqual([202, '9', [1]])
  expect((await decide()).status).toBe(204)
})
