// Whoever enters a transaction is neither of the two persons who approve it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LocalServer } from '@bursar/testing'
import { type Ledger, openLedger } from './harness'
import { quoteServer } from './quote-server'
import { type Bench, decisionsOf, depositOf, makeAsset, owner, pay, screen, withdrawalOf } from './steps'

const gatewayForm = '/api/v1/core/transactions'

let quote: LocalServer
let ledger: Ledger
/** An asset worth 10 USD; FOUR_EYES_USD is 1000. */
let gold: Bench
let [anna, boris, carl] = [] as Record<string, string>[]

beforeAll(async () => {
  quote = quoteServer({ GOLD: 10 })
  ledger = await openLedger({ env: { FOUR_EYES_USD: '1000' }, urls: { quote: quote.url } })
  gold = { assetId: await makeAsset(ledger, { code: 'GOLD' }), ...(await owner(ledger)) }
  await pay(ledger, gold, '100000')
  ;[anna, boris, carl] = await Promise.all(
    ['anna', 'boris', 'carl'].map((subject) => ledger.as({ kind: 'user', subject })),
  )
})
afterAll(async () => {
  await ledger.close()
  await quote.stop()
})

const approve = (id: string, headers: Record<string, string> | undefined, kind: 'deposit' | 'withdrawal') =>
  ledger.ask('POST', `/transactions/${id}/approve-frozen-${kind}`, { note: 'seen' }, headers)

test.each([
  ['a withdrawal', 'withdrawal', '/transactions/withdrawal', () => withdrawalOf(gold, '100')],
  [
    'a withdrawal in gateway form',
    'withdrawal',
    `${gatewayForm}/withdrawal`,
    () => withdrawalOf(gold, '100', { assetCode: 'GOLD', participantId: gold.customerId, assetId: undefined }),
  ],
  [
    'a transfer',
    'withdrawal',
    '/transactions/transfer',
    async () => {
      const { assetId, accountId: fromAccountId } = gold
      return { fromAccountId, toAccountId: (await owner(ledger)).accountId, assetId, amount: '100' }
    },
  ],
  ['a deposit', 'deposit', '/transactions/deposit', () => depositOf(gold, '100')],
] as const)('409 for the person who entered %s; two others approve it', async (_what, kind, path, body) => {
  const made = await ledger.ask('POST', path, await body(), carl)
  expect(made.status).toBe(201)
  const id = made.body.id as string
  await screen(ledger, id, false)
  const own = await approve(id, carl, kind)
  expect([own.status, own.body.message]).toEqual([
    409,
    'You have entered it yourself; two other persons must approve it',
  ])
  const { body: terms } = await ledger.ask('GET', `/transactions/${id}/review`)
  expect(terms).toMatchObject({ required: 2, approvals: [], enteredBy: { kind: 'user', id: 'carl' } })
  expect((await approve(id, anna, kind)).status).toBe(202)
  expect((await approve(id, carl, kind)).status).toBe(409)
  expect((await approve(id, boris, kind)).status).toBe(200)
  expect(await decisionsOf(ledger, id)).toEqual([
    ['ENTERED', 'carl', null],
    ['PROPOSED', 'anna', 'seen'],
    ['APPROVED', 'boris', 'seen'],
  ])
})

test('below the limit whoever entered it may approve it, and a participant or a service enters nothing', async () => {
  const small = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(gold, '1'), carl)
  await screen(ledger, small.body.id, false)
  expect((await approve(small.body.id, carl, 'withdrawal')).status).toBe(200)
  for (const kind of ['participant', 'service'] as const) {
    const headers = await ledger.as({ kind, subject: 'wallet' })
    const { body } = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(gold, '1'), headers)
    expect(await decisionsOf(ledger, body.id)).toEqual([])
  }
})

test('a deposit that is recorded again is entered by the first one alone', async () => {
  const deposit = depositOf(gold, '100')
  const { body } = await ledger.ask('POST', '/transactions/deposit', deposit, carl)
  expect((await ledger.ask('POST', '/transactions/deposit', deposit, anna)).status).toBe(200)
  expect(await decisionsOf(ledger, body.id)).toEqual([['ENTERED', 'carl', null]])
})
