// Decisions about large payments between banks take a second factor of the last five minutes, as those of the ledger do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer } from '@bursar/testing'
import { age, openConsole, type TestConsole } from './console-harness'

/** As the transaction manager has them. */
const payments = [
  { id: '01a1fe8f-0000-7000-8000-0000000000a1', reference: 'LARGE', amount: '1000.00', currency: 'USD' },
  { id: '01a1fe8f-0000-7000-8000-0000000000a2', reference: 'SMALL', amount: '999.99', currency: 'USD' },
  { id: '01a1fe8f-0000-7000-8000-0000000000a3', reference: 'EURO', amount: '1', currency: 'EUR' },
]
const [large, small, euro] = payments as [(typeof payments)[0], (typeof payments)[0], (typeof payments)[0]]
let isAway = false
let moved: string[] = []
let manager: LocalServer
let consoles: TestConsole
let cookie: string

beforeAll(async () => {
  manager = localServer((request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method !== 'GET') {
      moved.push(pathname)
      return Response.json({ data: {} })
    }
    if (isAway) return new Response(null, { status: 503 })
    const reference = searchParams.get('reference')
    if (reference !== null) {
      const data = payments.filter((payment) => payment.reference === reference)
      return Response.json({ data, pageInfo: { limit: 10, offset: 0, total: data.length } })
    }
    const data = payments.find(({ id }) => pathname.endsWith(id))
    return data ? Response.json({ data }) : Response.json({ error: { code: 'NOT_FOUND' } }, { status: 404 })
  })
  consoles = await openConsole({ FOUR_EYES_USD: '1000', TRANSACTIONS_URL: manager.url })
  cookie = await consoles.logIn()
  await age(consoles, cookie)
})
afterAll(async () => {
  await consoles?.close()
  await manager?.stop()
})

async function decide(path: string, body: object): Promise<'sent' | 'asked for the second factor'> {
  moved = []
  const answer = await consoles.ask(`/transactions/v1${path}`, { method: 'PUT', body, cookie })
  if (answer.status === 200 && moved.length === 1) return 'sent'
  expect([answer.status, answer.body.error.code, moved]).toEqual([403, 'SECOND_FACTOR_NEEDED', []])
  return 'asked for the second factor'
}
const asked = 'asked for the second factor'
const because = { comment: 'Because' }

describe('a decision about a payment', () => {
  test.each([
    ['from the threshold on', `/transfer/${large.id}/review`, 'APPROVED', asked],
    ['below it', `/transfer/${small.id}/review`, 'APPROVED', 'sent'],
    ['in a currency without a worth in USD', `/transfer/${euro.id}/review`, 'APPROVED', asked],
    ['against it', `/transfer/${large.id}/review`, 'REJECTED', asked],
    ['that only begins its review', `/transfer/${large.id}/review`, 'IN_REVIEW', 'sent'],
    ['that completes it', `/transfer/${large.id}`, 'COMPLETED', asked],
    ['about a withdrawal', `/withdrawal/${large.id}`, 'APPROVED', asked],
    ['about a small withdrawal', `/withdrawal/${small.id}`, 'APPROVED', 'sent'],
    ['about a deposit, by its reference', '/deposit/LARGE', 'COMPLETED', asked],
    ['about a deposit, by its reference as written otherwise', '/deposit/%4CARGE', 'COMPLETED', asked],
    ['about a small deposit', '/deposit/SMALL', 'COMPLETED', 'sent'],
    ['about a digital obligation', '/do-deposit/LARGE', 'APPROVED', asked],
    [
      'about one that there is not, which its service refuses',
      '/withdrawal/01a1fe8f-0000-7000-8000-0000000000aa',
      'APPROVED',
      'sent',
    ],
  ] as const)('%s', async (_, path, status, outcome) => {
    expect(await decide(path, { status, ...because })).toBe(outcome)
  })

  test('about an unreadable reference is refused', async () => {
    for (const path of ['/deposit/%E0%A4%A', '/deposit/%', '/do-deposit/%zz']) {
      const answer = await consoles.ask(`/transactions/v1${path}`, {
        method: 'PUT',
        body: { status: 'APPROVED' },
        cookie,
      })
      expect([path, answer.status]).toEqual([path, 400])
    }
  })

  test('about an amount without a known rate counts as large', async () => {
    isAway = true
    expect(await decide(`/transfer/${small.id}/review`, { status: 'APPROVED', ...because })).toBe(asked)
    isAway = false
  })
})
