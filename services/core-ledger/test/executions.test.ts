import { beforeEach, describe, expect, test } from 'bun:test'
import type { ExecutionToAuthorise } from '@bursar/contracts/core-ledger'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { localServer } from '@bursar/testing'
import { fail } from '../src/errors'
import { work } from '../src/movements/work.table'
import { authorisedExecutions } from '../src/portfolios/authorised-executions.table'
import { judgeWithdrawals } from '../src/withdrawals/authorise-withdrawals'
import { openLedger } from './harness'
import { assetId, contract, ledger, owners, withOwners } from './owned-ledger'
import { newAccount } from './owners'
import { closeShortfall, openShortfall } from './shortfalls'
import { type Bench, failIt, make, pay, screen, withdrawalOf } from './steps'

withOwners()
let bench: Bench

/** A portfolio with 100 of the asset. */
beforeEach(async () => {
  const { id: accountId, customerId } = await ledger.account({ type: 'PORTFOLIO' })
  bench = { assetId, accountId, customerId }
  await pay(ledger, bench, '100')
})

const path = '/internal/authorisations/execution'
interface Answer {
  id: string
  isAuthorised: boolean
  reason: string | null
}
const asked = (fields: Partial<ExecutionToAuthorise> = {}): ExecutionToAuthorise => ({
  id: Bun.randomUUIDv7(),
  accountId: bench.accountId,
  network: 'ethereum',
  takes: [{ contractAddress: contract, amount: '60000000' }],
  isOpaque: false,
  ...fields,
})
const taking = (amount: string, fields: Partial<ExecutionToAuthorise> = {}) =>
  asked({ takes: [{ contractAddress: contract.toLowerCase(), amount }], ...fields })
async function authorise(body: ExecutionToAuthorise): Promise<Answer> {
  const answer = await ledger.ask<Answer>('POST', path, body, await ledger.asService('wallet'))
  expect(answer.status).toBe(200)
  expect(answer.body.id).toBe(body.id)
  expect(answer.body.isAuthorised).toBe(answer.body.reason === null)
  return answer.body
}
const reasonOf = async (body: ExecutionToAuthorise) => (await authorise(body)).reason
const changed = (id: string, status: 'accepted' | 'broadcast' | 'confirmed' | 'failed') =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: ExecutionChanged.name,
    type: ExecutionChanged.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'wallet',
    data: { id, status, txHash: null, reason: null, accountId: bench.accountId, network: 'ethereum' },
  })

describe('POST /internal/authorisations/execution', () => {
  test('the available amount may be taken, to the last unit, and not one more', async () => {
    expect(await reasonOf(taking('100000001'))).toMatch(
      /^The transaction takes up to 100.000001 USD\d+; 100 USD\d+ are available$/,
    )
    expect(await reasonOf(taking('100000000'))).toBeNull()
  })

  test('amounts of other open executions are not available', async () => {
    const first = taking('60000000')
    expect(await reasonOf(first)).toBeNull()
    expect(await reasonOf(taking('40000001'))).toMatch(/; 40 USD\d+ are available$/)
    expect(await reasonOf(first)).toBeNull()
    await changed(first.id, 'failed')
    expect(await reasonOf(taking('100000000'))).toBeNull()
  })

  test('concurrent ones are authorised only up to the available amount', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => authorise(taking('30000000'))))
    expect(answers.filter(({ isAuthorised }) => isAuthorised)).toHaveLength(3)
  })

  test('several takes of one asset are summed', async () => {
    const takes = [contract, contract.toLowerCase()].map((contractAddress) => ({ contractAddress, amount: '60000000' }))
    expect(await reasonOf(asked({ takes }))).toMatch(/takes up to 120 USD/)
  })

  test('an amount held for a withdrawal is not available; nor can it be held once it is taken', async () => {
    await make(ledger, 'withdrawal', withdrawalOf(bench, '50'))
    expect(await reasonOf(taking('50000001'))).toMatch(/; 50 USD\d+ are available$/)
    expect(await reasonOf(taking('30000000'))).toBeNull()
    const refused = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(bench, '20.000001'))
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/^Insufficient balance: 20 USD\d+ available, 20.000001 USD\d+ asked$/),
    ])
    await make(ledger, 'withdrawal', withdrawalOf(bench, '20'))
  })

  test('an asset unknown to the ledger does not affect its books', async () => {
    expect(
      await reasonOf(asked({ takes: [{ contractAddress: `0x${'ab'.repeat(20)}`, amount: '9'.repeat(70) }] })),
    ).toBeNull()
    expect(await reasonOf(asked({ takes: [{ contractAddress: null, amount: '1' }] }))).toBeNull()
    expect(await reasonOf(asked({ takes: [] }))).toBeNull()
  })

  test('a call that cannot be decoded is refused while the account has holds on that network', async () => {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '10'))
    const opaque = asked({ isOpaque: true, takes: [] })
    expect(await reasonOf(opaque)).toMatch(
      /^What the call takes cannot be read from it, and 10 USD\d+ of the account are held for withdrawals on ethereum/,
    )
    expect(await reasonOf({ ...opaque, network: 'polygon' })).toBeNull()
    await screen(ledger, id, true)
    await failIt(ledger, id, 'no')
    expect(await reasonOf(asked({ isOpaque: true, takes: [] }))).toBeNull()
  })

  test('refused for an account that is not a portfolio, is unknown or inactive, or whose customer is inactive', async () => {
    const stablecoins = await ledger.account()
    expect(await reasonOf(asked({ accountId: stablecoins.id, takes: [] }))).toBe(
      `Account ${stablecoins.id} is no portfolio account`,
    )
    expect(await reasonOf(asked({ accountId: Bun.randomUUIDv7() }))).toMatch(/does not know account/)
    owners.putAccount(
      newAccount({ id: bench.accountId, customerId: bench.customerId, type: 'PORTFOLIO', status: 'suspended' }),
    )
    expect(await reasonOf(taking('1'))).toMatch(/is suspended; only active accounts/)
    const other = await ledger.account({ type: 'PORTFOLIO', customerStatus: 'suspended' })
    expect(await reasonOf(asked({ accountId: other.id, takes: [] }))).toMatch(/^Customer .* is suspended/)
  })

  test('503 while the owners are unavailable: not a refusal', async () => {
    const lonely = await openLedger()
    const { id } = await lonely.account({ type: 'PORTFOLIO' })
    const body = asked({ accountId: id, takes: [] })
    const answer = await lonely.ask('POST', path, body, await lonely.asService('wallet'))
    expect([answer.status, answer.body.message]).toEqual([
      503,
      expect.stringMatching(/^The account cannot be looked up/),
    ])
    expect(await lonely.store.read.select().from(authorisedExecutions)).toEqual([])
    await lonely.close()
  })

  test('503 while the books are closed, also when they close during the calls to the owners', async () => {
    let isClosed = false
    const asking = localServer(({ url }) => {
      isClosed = true
      return fetch(url.replace(asking.url, owners.server.url))
    })
    const closing = await openLedger({ owners, urls: { account: asking.url } })
    const { books } = closing.deps
    Object.assign(books, {
      areClosed: () => isClosed,
      requireOpen() {
        if (isClosed) throw fail('BOOKS_DIFFER')
      },
    })
    const { id } = await closing.account({ type: 'PORTFOLIO' })
    const body = asked({ accountId: id, takes: [] })
    for (const _ of ['open at first', 'closed']) {
      const answer = await closing.ask('POST', path, body, await closing.asService('wallet'))
      expect([answer.status, answer.body.message]).toEqual([503, expect.stringMatching(/^The ledger moves no money/)])
    }
    expect(asking.requests.length).toBeGreaterThan(0)
    expect(await closing.store.read.select().from(authorisedExecutions)).toEqual([])
    await closing.close()
    await asking.stop()
  })

  test('refused while a shortfall of the account, or of an asset that it takes, is open', async () => {
    const open = (accountId: string | null, of = assetId) =>
      ledger.store.commit((tx) =>
        openShortfall(tx, { accountId, assetId: of, reason: 'Less is there', since: new Date() }),
      )
    await open(bench.accountId, 'another')
    expect(await reasonOf(taking('1'))).toBe('Less is there')
    await ledger.store.commit((tx) => closeShortfall(tx, bench.accountId, 'another'))
    await open(null)
    expect(await reasonOf(taking('1'))).toBe('Less is there')
    expect(await reasonOf(asked({ takes: [] }))).toBeNull()
    await ledger.store.commit((tx) => closeShortfall(tx, null, assetId))
    expect(await reasonOf(taking('1'))).toBeNull()
  })

  test('an id that has ended, or is another’s, is not authorised again', async () => {
    const body = taking('1')
    expect(await reasonOf(body)).toBeNull()
    expect(await reasonOf({ ...body, network: 'polygon' })).toBe(
      `Execution ${body.id} is of another account or network`,
    )
    await changed(body.id, 'broadcast')
    expect(await reasonOf(body)).toBeNull()
    await changed(body.id, 'failed')
    expect(await reasonOf(body)).toBe(`Execution ${body.id} has ended`)
  })

  test('401 for callers other than the wallet service', async () => {
    for (const headers of [await ledger.asService('blockchain'), await ledger.as({}), {}]) {
      expect((await ledger.ask('POST', path, asked(), headers)).status).toBe(401)
    }
  })
})

test('a withdrawal waits while an execution that cannot be decoded is under way', async () => {
  const body = asked({ isOpaque: true, takes: [] })
  expect(await reasonOf(body)).toBeNull()
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '10'))
  const judged = async () => (await judgeWithdrawals(ledger.store.read, [id])).get(id)?.reason
  await screen(ledger, id, true)
  await ledger.store.commit(async (tx) => {
    await tx.update(work).set({ orderedAt: new Date() }).where(eq(work.transactionId, id))
  })
  expect(await judged()).toBe(
    `Execution ${body.id} of the portfolio is under way on ethereum, and what it takes cannot be read`,
  )
  // Asked again, it goes on: the withdrawal waits for it, and it never for the withdrawal.
  expect(await reasonOf(body)).toBeNull()
  expect(await reasonOf(asked({ isOpaque: true, takes: [] }))).toContain('are held for withdrawals on ethereum')
  await changed(body.id, 'failed')
  expect(await judged()).toBeNull()
})

test('a transfer with a portfolio on either side: 400', async () => {
  const { id } = await ledger.account()
  const body = { fromAccountId: bench.accountId, toAccountId: id, assetId, amount: '1' }
  for (const each of [body, { ...body, fromAccountId: id, toAccountId: bench.accountId }]) {
    const { status, body: refusal } = await ledger.ask('POST', '/transactions/transfer', each)
    expect([status, refusal.message]).toEqual([
      400,
      `Account ${bench.accountId} is a portfolio account, whose coins are at its own address: withdraw to its address instead`,
    ])
  }
})
