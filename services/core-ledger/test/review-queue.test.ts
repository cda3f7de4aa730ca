import { afterAll, expect, test } from 'bun:test'
import { openLedger } from './harness'
import { quoteServer } from './quote-server'
import { type Bench, depositOf, make, makeAsset, screen } from './steps'

const quote = quoteServer({ GOLD: 10 })
afterAll(() => quote.stop())

test('the review shows the worth, how many it takes and who was the first', async () => {
  const own = await openLedger({ env: { FOUR_EYES_USD: '1000' }, urls: { quote: quote.url } })
  const { id: accountId, customerId } = await own.account()
  const bench = { assetId: await makeAsset(own, { code: 'GOLD' }), accountId, customerId }
  const bare = { ...bench, assetId: await makeAsset(own, { code: 'LEAD' }) }
  const frozen = async (of: Bench, amount: string) => {
    const { id } = await make(own, 'deposit', depositOf(of, amount))
    await screen(own, id, false)
    return id
  }
  const ids = [await frozen(bench, '1'), await frozen(bench, '100'), await frozen(bare, '5')]
  const anna = await own.as({ kind: 'user', subject: 'anna' })
  await own.ask('POST', `/transactions/${ids[1]}/approve-frozen-deposit`, { note: 'seen' }, anna)
  interface Item {
    id: string
    usdValue: number | null
    required: number
    approvals: { actor: { id: string }; note: string }[]
    asset: { code: string }
  }
  const { body } = await own.ask<Item[]>('GET', '/transactions/review')
  const shown = body.map(({ id, usdValue, required, approvals, asset }) => [
    id,
    usdValue,
    required,
    approvals.map(({ actor, note }) => `${actor.id}: ${note}`),
    asset.code,
  ])
  expect(shown).toEqual([
    [ids[0] ?? '', 10, 1, [], 'GOLD'],
    [ids[1] ?? '', 1000, 2, ['anna: seen'], 'GOLD'],
    [ids[2] ?? '', null, 2, [], 'LEAD'],
  ])
  for (const { id, usdValue, required, approvals } of body) {
    expect((await own.ask('GET', `/transactions/${id}/review`)).body).toEqual({
      usdValue,
      required,
      approvals,
      enteredBy: null,
    })
  }
  const rest = await own.ask<Item[]>('GET', `/transactions/review?after=${ids[0]}&limit=1`)
  expect(rest.body.map(({ id }) => id)).toEqual([ids[1] ?? ''])
  expect((await own.ask('GET', '/transactions/review?limit=101')).status).toBe(400)
  const { body: open } = await own.ask<{ frozen: Item[]; counts: object[]; stuck: object[]; stuckCount: number }>(
    'GET',
    '/transactions/open',
  )
  expect(open.frozen).toEqual(body)
  expect(open).toMatchObject({
    counts: [{ type: 'DEPOSIT', status: 'FROZEN', count: 3, oldestId: ids[0] ?? '' }],
    stuck: [],
    stuckCount: 0,
  })
  await frozen(bench, '7')
  const { body: more } = await own.ask<{ frozen: Item[] }>('GET', '/transactions/open')
  expect(more.frozen.map(({ id }) => id)).toEqual(ids)
  await own.ask('POST', `/transactions/${ids[0]}/reject-frozen-deposit`, {})
  const { status, body: refusal } = await own.ask('GET', `/transactions/${ids[0]}/review`)
  expect([status, refusal.message]).toEqual([
    400,
    `Transaction ${ids[0]} is REJECTED; only a FROZEN one can be reviewed`,
  ])
  expect((await own.ask('GET', '/transactions/00000000-0000-7000-8000-000000000000/review')).status).toBe(404)
  await own.close()
})
