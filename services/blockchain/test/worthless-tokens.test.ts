// Anybody can make a worthless token tell of a million transfers to and from the addresses of a deployment.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { openReadOnly } from '@bursar/store'
import { pendingReads } from '../src/movements/movements'
import { recordTransfers } from '../src/transfers/transfers'
import { transfers } from '../src/transfers/transfers.table'
import { nextReads, unknownTokensAt } from '../src/transfers/unknown-tokens'
import { bob, fresh, type TestBlockchain, testBlockchain } from './harness'
import { block, madeUpBlocks, paid } from './made-up-blocks'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain({ workers: false })
})
afterAll(() => service.stop())
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const contract = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const moved = (logIndex: number, fields: object) => ({
  txHash: '0xworthless',
  logIndex,
  from: bob,
  to: bob,
  contractAddress: contract(logIndex % 60),
  amount: 1n,
  decimals: null,
  block: 1,
  blockHash: '0x1',
  at: new Date(),
  ...fields,
})

test('of an address fifty tokens are known, each once, and those that left a portfolio are among them', async () => {
  const [receiver, portfolio, other] = [fresh(), fresh(), fresh()]
  await service.watch(receiver)
  await service.watch(other)
  await service.watch(portfolio, 'ethereum', { isPortfolio: true })
  const all = [
    ...Array.from({ length: 180 }, (_, i) => moved(i, { to: receiver })),
    moved(180, { to: portfolio, contractAddress: contract(7) }),
    ...[181, 182, 183].map((i) => moved(i, { from: portfolio, contractAddress: contract(i % 2) })),
  ]
  await service.store.commit((tx) => recordTransfers(tx, 'ethereum', all, { dust: new Map() }))
  const unwatched = fresh()
  const known = await unknownTokensAt(service.store.read, 'ethereum', [receiver, portfolio, other, unwatched])
  expect(Object.fromEntries(known)).toEqual({
    [receiver]: Array.from({ length: 50 }, (_, i) => contract(i)),
    [portfolio]: [contract(7), contract(0), contract(1)],
    [other]: [],
    [unwatched]: [],
  })
})

describe('no statement that runs all the time reads all that they tell', () => {
  test.each([
    ['movements that wait for their block', pendingReads.upTo, 'movements_known (network=? AND block<?)'],
    ['whether any do', pendingReads.any, 'movements_known (network=?)'],
    [
      'the next token that came',
      nextReads.received,
      'transfers_unknown_tokens (network=? AND to_key=? AND contract_address>?)',
    ],
    [
      'the next that left',
      nextReads.moved,
      'movements_unknown_tokens (network=? AND address=? AND contract_address>?)',
    ],
  ])('%s', (_what, statement, index) => {
    const file = openReadOnly(service.file)
    const { sql } = statement(service.store.read).toSQL()
    const plan = file.rows(`explain query plan ${sql}`).map(({ detail }) => String(detail))
    file.close()
    expect(plan).toEqual([expect.stringMatching(/^SEARCH /)])
    expect(plan[0]).toEndWith(`INDEX ${index}`)
  })
})

test('blocks that somebody has filled with transfers are recorded one by one', async () => {
  const worthless = { contractAddress: `0x${'3'.repeat(40)}` }
  const full = (number: number) =>
    Array.from({ length: 600 }, (_, logIndex) => paid(number, { ...worthless, logIndex, block: number }))
  const { scan, cursor, own } = await madeUpBlocks(ends, {
    head: 3,
    read: async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      return { blocks: numbers.map((number) => block(number)), transfers: numbers.flatMap(full) }
    },
    most: 3,
  })
  const places = [await cursor()]
  while (await scan()) places.push(await cursor())
  expect([...places, await cursor()]).toEqual([undefined, 1, 2, 3])
  expect((await own.deps.store.read.select({ id: transfers.id }).from(transfers)).length).toBe(1800)
})
