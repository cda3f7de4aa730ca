import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LocalServer } from '@bursar/testing'
import { copyOf } from '@bursar/testing/service'
import { type Ledger, openLedger } from './harness'
import { quoteServer } from './quote-server'
import {
  type Bench,
  balanceOf,
  decisionsOf,
  depositOf,
  getTransaction,
  make,
  makeAsset,
  owner,
  pay,
  screen,
  withdrawalOf,
} from './steps'

const gatewayForm = '/api/v1/core/transactions'
const proposal = { proposed: true, approvals: 1, required: 2 }

let quote: LocalServer
let ledger: Ledger
/** An asset worth 10 USD, and one without a rate; FOUR_EYES_USD is 1000. */
let gold: Bench
let unpriced: Bench
let [anna, boris] = [] as Record<string, string>[]
const rates: Record<string, number> = { GOLD: 10 }

const open = (env: Record<string, string> = { FOUR_EYES_USD: '1000' }, dataDir?: string) =>
  openLedger({ env, urls: { quote: quote.url }, ...(dataDir ? { dataDir } : {}) })

beforeAll(async () => {
  quote = quoteServer(rates)
  ledger = await open()
  gold = { assetId: await makeAsset(ledger, { code: 'GOLD' }), ...(await owner(ledger)) }
  unpriced = { ...gold, assetId: await makeAsset(ledger, { code: 'LEAD' }) }
  await pay(ledger, gold, '100000')
  anna = await ledger.as({ kind: 'user', subject: 'anna' })
  boris = await ledger.as({ kind: 'user', subject: 'boris' })
})
afterAll(async () => {
  await ledger.close()
  await quote.stop()
})

async function frozen(kind: 'deposit' | 'withdrawal', amount: string, of = gold, at = ledger): Promise<string> {
  const { id } = await make(at, kind, kind === 'deposit' ? depositOf(of, amount) : withdrawalOf(of, amount))
  await screen(at, id, false)
  return id
}
const act = (id: string, action: string, headers?: Record<string, string>, body?: object, at = ledger) =>
  at.ask('POST', `/transactions/${id}/${action}`, body, headers)
const approve = (id: string, headers?: Record<string, string>, kind = 'deposit', at = ledger) =>
  act(id, `approve-frozen-${kind}`, headers, { note: 'seen' }, at)
const statusOf = async (id: string, at = ledger) => (await getTransaction(at, id)).status

describe.each(['deposit', 'withdrawal'] as const)('a %s of at least the limit', (kind) => {
  test('the first approval is a proposal and moves nothing; another person’s second one approves', async () => {
    const id = await frozen(kind, '100')
    const before = await balanceOf(ledger, gold)
    const first = await approve(id, anna, kind)
    expect([first.status, first.body]).toEqual([202, proposal])
    expect([await statusOf(id), await balanceOf(ledger, gold)]).toEqual(['FROZEN', before])
    const second = await approve(id, boris, kind)
    expect([second.status, second.body]).toEqual([200, { enqueued: true }])
    expect(await statusOf(id)).toBe('APPROVED')
    expect(await decisionsOf(ledger, id)).toEqual([
      ['PROPOSED', 'anna', 'seen'],
      ['APPROVED', 'boris', 'seen'],
    ])
  })

  test('in gateway form as well, and one form after the other', async () => {
    const id = await frozen(kind, '100')
    const path = `${gatewayForm}/${id}/approve-frozen-${kind}`
    const first = await ledger.ask('POST', path, {}, anna)
    expect([first.status, first.body]).toEqual([202, proposal])
    expect((await approve(id, anna, kind)).status).toBe(409)
    expect((await ledger.ask('POST', path, undefined, anna)).status).toBe(409)
    const second = await ledger.ask('POST', path, { note: null }, boris)
    expect([second.status, second.body.status]).toEqual([200, 'APPROVED'])
  })
})

describe('who may', () => {
  test('409 for the same person again, in words', async () => {
    const id = await frozen('deposit', '100')
    await approve(id, anna)
    const again = await approve(id, anna)
    expect([again.status, again.body.message]).toEqual([
      409,
      'You have approved this already; another person must approve it, too',
    ])
    expect([await statusOf(id), await decisionsOf(ledger, id)]).toEqual(['FROZEN', [['PROPOSED', 'anna', 'seen']]])
  })

  test('under its key a proposal is answered again as it was, and counts once', async () => {
    const id = await frozen('deposit', '100')
    const key = { ...anna, 'idempotency-key': `proposal-${id}` }
    await approve(id, key)
    const again = await approve(id, key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([202, proposal, 'true'])
    expect(await statusOf(id)).toBe('FROZEN')
  })

  test('403 for a caller that is not a verified user, first and second', async () => {
    const id = await frozen('deposit', '100')
    const others = [
      {},
      await ledger.asParticipant('p'),
      await ledger.asService('webhook'),
      await ledger.as({ kind: 'anonymous', subject: '::1' }),
      // A service that bears the proposer's name is still no person.
      await ledger.as({ kind: 'participant', subject: 'boris' }),
    ]
    for (const headers of others) expect((await approve(id, headers)).status).toBe(403)
    expect(await decisionsOf(ledger, id)).toEqual([])
    await approve(id, anna)
    for (const headers of others) expect((await approve(id, headers)).status).toBe(403)
    expect(await statusOf(id)).toBe('FROZEN')
  })

  test('a person cannot approve by completing the screening; a screening service can', async () => {
    const { id } = await make(ledger, 'deposit', depositOf(gold, '100'))
    const complete = (isApproved: boolean, headers: Record<string, string> = {}) =>
      ledger.ask('POST', '/transactions/complete-screening', { id, isApproved }, headers)
    const refused = await complete(true, anna)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Its approval takes two persons: freeze it (isApproved false), then have two persons approve it',
    ])
    expect(await statusOf(id)).toBe('PENDING')
    expect((await complete(false, anna)).status).toBe(200)
    const { id: other } = await make(ledger, 'deposit', depositOf(gold, '100'))
    expect((await ledger.ask('POST', '/transactions/complete-screening', { id: other, isApproved: true })).status).toBe(
      200,
    )
  })
})

describe('the number of persons', () => {
  test.each([
    ['99.999', 200],
    ['99.9999', 202],
    ['100', 202],
  ])('%s at 10 USD: %p', async (amount, status) => {
    expect((await approve(await frozen('deposit', amount), anna)).status).toBe(status)
  })

  test('two persons without a rate, or while the quote service is unavailable', async () => {
    const id = await frozen('deposit', '0.000001', unpriced)
    expect((await approve(id, anna)).status).toBe(202)
    expect((await approve(id, boris)).status).toBe(200)
    const lonely = await openLedger({ env: { FOUR_EYES_USD: '1000' } })
    const bench = { assetId: await makeAsset(lonely), accountId: (await lonely.account()).id, customerId: '' }
    const headers = await lonely.as({ kind: 'user', subject: 'anna' })
    expect((await approve(await frozen('deposit', '1', bench, lonely), headers, 'deposit', lonely)).status).toBe(202)
    await lonely.close()
  })

  test('one person below the limit, also an unknown one; from 0 on always two', async () => {
    expect((await approve(await frozen('deposit', '1'))).status).toBe(200)
    const strict = await open({ FOUR_EYES_USD: '0' })
    const bench = {
      ...gold,
      assetId: await makeAsset(strict, { code: 'GOLD' }),
      accountId: (await strict.account()).id,
    }
    const headers = await strict.as({ kind: 'user', subject: 'anna' })
    const id = await frozen('deposit', '0.000001', bench, strict)
    expect((await approve(id, headers, 'deposit', strict)).status).toBe(202)
    await strict.close()
  })

  test('two persons for a fraction of a cent below the limit', async () => {
    expect((await approve(await frozen('deposit', '99.9991'), anna)).status).toBe(202)
    expect((await approve(await frozen('deposit', '99.999'), anna)).status).toBe(200)
  })

  test('404 and 400 take precedence', async () => {
    expect((await approve('00000000-0000-7000-8000-000000000000', anna)).status).toBe(404)
    const { id } = await make(ledger, 'deposit', depositOf(gold, '100'))
    expect((await approve(id, anna)).status).toBe(400)
    expect((await approve(await frozen('deposit', '100'), anna, 'withdrawal')).status).toBe(400)
    const { body } = await act(await frozen('deposit', '1'), 'approve-frozen-deposit', anna, { note: 5 })
    expect(body.message).toEqual(['note must be a string or null'])
  })

  test('a proposed one needs a second person even if its value is lower by then', async () => {
    rates.TIN = 10
    const tin = { ...gold, assetId: await makeAsset(ledger, { code: 'TIN' }) }
    const id = await frozen('deposit', '100', tin)
    await approve(id, anna)
    rates.TIN = 1
    const later = await open({ FOUR_EYES_USD: '1000' }, await copyOf(ledger))
    expect((await approve(id, anna, 'deposit', later)).status).toBe(409)
    expect((await approve(id, boris, 'deposit', later)).status).toBe(200)
    await later.close()
  })
})

describe('two at once', () => {
  test('two persons: one proposes, the other approves', async () => {
    const id = await frozen('deposit', '100')
    const both = await Promise.all([approve(id, anna), approve(id, boris)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
    expect(await statusOf(id)).toBe('APPROVED')
  })

  test('an approval during the screening that freezes it still needs two', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await make(ledger, 'deposit', depositOf(gold, '100'))
      const [, approval] = await Promise.all([screen(ledger, id, false), approve(id, anna)])
      expect([202, 400]).toContain(approval.status)
      expect(await statusOf(id)).toBe('FROZEN')
    }
  })

  test('one person twice: one proposal', async () => {
    const id = await frozen('deposit', '100')
    const both = await Promise.all([approve(id, anna), approve(id, anna)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(await statusOf(id)).toBe('FROZEN')
  })

  test('a second approval against a rejection: one of them, and the money by it', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await frozen('withdrawal', '100')
      await approve(id, anna, 'withdrawal')
      const order = [
        () => approve(id, boris, 'withdrawal'),
        () => act(id, 'reject-frozen-withdrawal', anna, { reason: 'no' }),
      ]
      if (round % 2) order.reverse()
      const statuses = (await Promise.all(order.map((run) => run()))).map(({ status }) => status)
      if (round % 2) statuses.reverse()
      expect(statuses.toSorted()).toEqual([200, 400])
      expect(await statusOf(id)).toBe(statuses[0] === 200 ? 'APPROVED' : 'REJECTED')
      expect(await decisionsOf(ledger, id)).toHaveLength(2)
    }
  })

  test('a first approval against a rejection: rejected in either order', async () => {
    const [one, other] = [await frozen('withdrawal', '100'), await frozen('withdrawal', '100')]
    const reject = (id: string) => act(id, 'reject-frozen-withdrawal', boris, {})
    const [, rejected] = await Promise.all([approve(one, anna, 'withdrawal'), reject(one)])
    const [alsoRejected] = await Promise.all([reject(other), approve(other, anna, 'withdrawal')])
    expect([rejected.status, alsoRejected.status]).toEqual([200, 200])
    expect([await statusOf(one), await statusOf(other)]).toEqual(['REJECTED', 'REJECTED'])
    expect((await approve(one, boris, 'withdrawal')).status).toBe(400)
  })
})

describe('after a restart or a restore', () => {
  test('a stored proposal counts; the proposer is still the same person', async () => {
    const id = await frozen('deposit', '100')
    await approve(id, anna)
    const again = await open({ FOUR_EYES_USD: '1000' }, await copyOf(ledger))
    expect((await approve(id, anna, 'deposit', again)).status).toBe(409)
    expect((await approve(id, boris, 'deposit', again)).status).toBe(200)
    await again.close()
  })

  test('a proposal after the backup is lost with it: it needs two again', async () => {
    const id = await frozen('deposit', '100')
    const backup = await copyOf(ledger)
    await approve(id, anna)
    const restored = await open({ FOUR_EYES_USD: '1000' }, backup)
    expect((await approve(id, boris, 'deposit', restored)).status).toBe(202)
    expect(await statusOf(id, restored)).toBe('FROZEN')
    await restored.close()
  })

  test('without the setting one person is enough', async () => {
    const id = await frozen('deposit', '100')
    await approve(id, anna)
    const off = await open({}, await copyOf(ledger))
    expect((await approve(id, anna, 'deposit', off)).status).toBe(200)
    await off.close()
  })
})
