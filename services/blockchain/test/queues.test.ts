// What the queue of a sender promises when several work on it, or transactions were replaced.
import { afterEach, expect, test } from 'bun:test'
import { behindAnother } from '@bursar/contracts/signing'
import { openReadOnly, param } from '@bursar/store'
import { until } from '@bursar/testing'
import type { Attempt, Chain } from '../src/networks/network'
import { readAttemptsOf } from '../src/sends/attempts'
import { noncesOf, queueReads } from '../src/sends/queue'
import { startSending } from '../src/sends/sending'
import { findSend, recordAttempt, recordEnds, recordLost } from '../src/sends/sends'
import { type SendRow, senders } from '../src/sends/sends.table'
import { hot, newSend, type TestBlockchain, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A network that takes what is handed over and puts it into no block. */
async function begin() {
  const wallet = testWallet()
  const own = await testBlockchain({ wallet, workers: false })
  ends.push(() => own.stop())
  await own.payIn(hot, '10')
  const chain = await own.deps.networks.open('ethereum')
  const handedOver: string[] = []
  chain.sending.broadcast = async (attempts) => void handedOver.push(...attempts.map(({ txHash }) => txHash))
  const run = (clock = () => new Date()) => {
    const sending = startSending({ ...own.deps, clock })
    ends.push(() => sending.stop())
    return sending
  }
  const sent = async (clock?: () => Date) => {
    const order = newSend({ from: hot })
    await own.internal('POST', '/sends', order)
    const sending = run(clock)
    const { txHash } = await own.reached(order.id, 'broadcast')
    await sending.stop()
    return { id: order.id, txHash: txHash ?? '' }
  }
  return { own, wallet, chain, handedOver, run, sent }
}
const row = async (own: TestBlockchain, id: string) => (await findSend(own.deps.store.read, id)) as SendRow
const attemptsOf = async (own: TestBlockchain, id: string) =>
  (await readAttemptsOf(own.deps.store.read, [id])).get(id) ?? []
const hashesOf = async (own: TestBlockchain, id: string) => (await attemptsOf(own, id)).map(({ txHash }) => txHash)

async function replacing(own: TestBlockchain, id: string, txHash: string): Promise<void> {
  const [last] = await attemptsOf(own, id)
  await own.deps.store.commit(async (tx) =>
    recordAttempt(tx, await row(own, id), { ...(last as Attempt), txHash }, new Date(0)),
  )
}

test('the newest attempt comes first, and those that are dead are none', async () => {
  const { own, sent } = await begin()
  const { id, txHash } = await sent()
  await replacing(own, id, '0xb')
  await replacing(own, id, '0xc')
  expect(await hashesOf(own, id)).toEqual(['0xc', '0xb', txHash])
  await own.deps.store.commit(async (tx) => recordLost(tx, await row(own, id), new Date()))
  expect(await hashesOf(own, id)).toEqual([])
  const { body } = await own.get(`/sends/${id}`)
  expect(body.transactions.every(({ lostAt }: { lostAt: string | null }) => lostAt !== null)).toBe(true)
})

test('a queue that has forgotten its next nonce continues after those that may be on the chain', async () => {
  const { own, sent } = await begin()
  const lease = { network: 'ethereum', address: hot, nextNonce: null }
  expect(await noncesOf(own.deps.store.read, lease)).toEqual({ nextNonce: null, isFirst: true })
  await sent()
  await sent()
  expect(await noncesOf(own.deps.store.read, lease)).toEqual({ nextNonce: 2, isFirst: true })
  expect(await noncesOf(own.deps.store.read, { ...lease, nextNonce: 7 })).toEqual({ nextNonce: 7, isFirst: false })
})

test('what was signed under a lease that was lost is neither stored nor broadcast', async () => {
  const { own, wallet, handedOver, run } = await begin()
  const orders = [newSend({ from: hot }), newSend({ from: hot })]
  await own.internal('POST', '/sends/batch', { items: orders })
  const signed = Promise.withResolvers<void>()
  wallet.sign = async (order) => {
    await own.deps.store.commit(async (tx) => {
      await tx.update(senders).set({ leasedUntil: new Date(Date.now() + 60_000) })
    })
    if (wallet.signed.length === orders.length) signed.resolve()
    return signSimulated(order)
  }
  const sending = run()
  await signed.promise
  await sending.stop()
  expect(handedOver).toEqual([])
  for (const { id } of orders) {
    expect(await row(own, id)).toMatchObject({ status: 'accepted', txHash: null, nonce: null })
    expect(await hashesOf(own, id)).toEqual([])
  }
})

test('of what was replaced the newest is broadcast again', async () => {
  const { own, handedOver, run, sent } = await begin()
  const { id } = await sent()
  await replacing(own, id, '0xb')
  handedOver.length = 0
  run()
  await until(() => handedOver.length > 0)
  expect(new Set(handedOver)).toEqual(new Set(['0xb']))
})

test('a replaced attempt that is in a block keeps the send from being taken for lost', async () => {
  const { own, chain, run, sent } = await begin()
  const { id, txHash } = await sent()
  await replacing(own, id, '0xb')
  let looks = 0
  chain.sending.outcomes = async (attempts: readonly Attempt[]) => {
    looks += 1
    return attempts.map((attempt) => ({ is: attempt.txHash === txHash ? 'included' : 'absent' }))
  }
  chain.sending.lossOf = async () => 'lost'
  run()
  await until(() => looks > 2)
  expect((await row(own, id)).status).toBe('broadcast')
  chain.sending.outcomes = async (attempts: readonly Attempt[]) =>
    attempts.map((attempt) => ({ is: attempt.txHash === txHash ? 'confirmed' : 'absent' }))
  expect((await own.reached(id, 'confirmed')).txHash).toBe(txHash)
})

test('a send that has ended while the chain was asked is not recorded again', async () => {
  const { own, chain, run, sent } = await begin()
  const { id, txHash } = await sent()
  let looks = 0
  chain.sending.outcomes = async () => {
    looks += 1
    const current = await row(own, id)
    await own.deps.store.commit((tx) => recordEnds(tx, [{ row: current, txHash, reason: null, now: new Date() }]))
    return [{ is: 'reverted', reason: 'a node that lies' }]
  }
  const sending = run()
  await until(() => looks > 0)
  await sending.stop()
  expect(await row(own, id)).toMatchObject({ status: 'confirmed', reason: null })
  expect(['broadcast,confirmed', 'confirmed']).toContain((await own.states(id)).join())
})

test('a replacement that was signed while there came a newer attempt is not stored', async () => {
  const { own, wallet, chain, run, sent } = await begin()
  const { id, txHash } = await sent()
  let replacements = 0
  chain.sending.dearer = async (attempt: Attempt) => {
    const { signers, nonce, expiresAt } = attempt
    if (replacements > 0) return null
    return { unsigned: JSON.stringify({ ...JSON.parse(attempt.unsigned), fee: 2 }), signers, nonce, expiresAt }
  }
  wallet.sign = async (order) => {
    replacements += 1
    if (replacements === 1) await replacing(own, id, '0xnewer')
    return signSimulated(order)
  }
  const sending = run(() => new Date(Date.now() + 600_000))
  await until(() => replacements > 0)
  await sending.stop()
  expect(await hashesOf(own, id)).toEqual(['0xnewer', txHash])
  expect((await row(own, id)).txHash).toBe('0xnewer')
})

test('a replacement that is the same transaction is none: it is kept once, and those behind it go on', async () => {
  const { own, wallet, chain, handedOver, run, sent } = await begin()
  const first = await sent()
  const asked = wallet.signed.length
  let raised = 0
  chain.sending.dearer = async ({ unsigned, signers, nonce, expiresAt }: Attempt) => {
    raised += 1
    return { unsigned, signers, nonce, expiresAt }
  }
  run(() => new Date(Date.now() + 600_000))
  const second = await own.send({})
  await own.reached(second.id, 'broadcast')
  await until(() => raised > 2)
  expect(await hashesOf(own, first.id)).toEqual([first.txHash])
  expect(wallet.signed).toHaveLength(asked + 1)
  expect((await row(own, first.id)).lastError).toBeNull()
  await until(() => handedOver.filter((hash) => hash === first.txHash).length > 2)
})

test('what was sent while a clock was a year ahead has its fee raised all the same', async () => {
  const { own, chain, run, sent } = await begin()
  const { id, txHash } = await sent(() => new Date(Date.now() + 365 * 86_400_000))
  chain.sending.dearer = async ({ unsigned, signers, nonce, expiresAt }: Attempt) => ({
    unsigned: JSON.stringify({ ...JSON.parse(unsigned), fee: 2 }),
    signers,
    nonce,
    expiresAt,
  })
  run()
  await until(async () => (await hashesOf(own, id)).length > 1)
  expect((await hashesOf(own, id)).at(-1)).toBe(txHash)
})

test('one whose fee cannot be raised, for the wallet service does not know its order, waits, and says so', async () => {
  const { own, wallet, chain, handedOver, run, sent } = await begin()
  const { id, txHash } = await sent()
  chain.sending.dearer = async ({ unsigned, signers, nonce, expiresAt }: Attempt) => ({
    unsigned: JSON.stringify({ ...JSON.parse(unsigned), fee: 2 }),
    signers,
    nonce,
    expiresAt,
  })
  wallet.sign = () => {
    throw refusal(404, 'No order of the id is known')
  }
  handedOver.length = 0
  run(() => new Date(Date.now() + 600_000))
  const shown = await until(async () => {
    const { body } = await own.get(`/sends/${id}`)
    return body.lastError !== null && body
  })
  expect(shown).toMatchObject({
    status: 'broadcast',
    lastError: 'It waits for its block, and its fee was not raised: No order of the id is known',
    transactions: [{ txHash, lostAt: null }],
  })
  await until(() => handedOver.includes(txHash))
})

test('coins that are on their way on a simulated network are not promised again, and paid ones are gone once', async () => {
  const own = await testBlockchain({ workers: false, env: { SIMULATED_CONFIRMATIONS: '3' } })
  ends.push(() => own.stop())
  await own.payIn(hot, '10')
  const chain: Chain = await own.deps.networks.open('ethereum')
  const { broadcast } = chain.sending
  chain.sending.broadcast = async () => {}
  const units = (coins: number) => `${BigInt(coins) * 10n ** 18n}`
  const first = await own.send({ amount: units(6) })
  const sending = startSending(own.deps)
  ends.push(() => sending.stop())
  await own.reached(first.id, 'broadcast')
  const second = await own.send({ amount: units(6) })
  await until(async () => (await row(own, second.id)).failures > 1)
  expect(await row(own, second.id)).toMatchObject({
    status: 'accepted',
    lastError: expect.stringMatching(/holds 4, and 6 is to be sent$/),
  })
  chain.sending.broadcast = broadcast
  // It is in a block, and not final: what it took is taken once.
  await until(async () => (await own.get(`/addresses/${hot}`)).body.data[0]?.amount === '4')
  const third = await own.send({ amount: units(4) })
  await own.reached(third.id, 'broadcast')
})

test('sends that wait hold those behind them up once, however many they are', async () => {
  const { own, wallet, chain, run } = await begin()
  const { draft } = chain.sending
  const asked: number[] = []
  chain.sending.draft = async (request) => {
    asked.push(request.orders.length)
    return await draft(request)
  }
  const orders = Array.from({ length: 8 }, () => newSend({ from: hot, amount: '1' }))
  const held = new Set(orders.slice(0, 6).map(({ id }) => id))
  wallet.sign = (item) => {
    if (held.has(item.orderId)) throw refusal(409, 'The order waits: for an operator')
    if (asked.length === 1) throw refusal(409, `The order waits: ${behindAnother}`)
    return signSimulated(item)
  }
  for (const order of orders) await own.internal('POST', '/sends', order)
  // With a fixed clock no rescheduled work becomes due again.
  const now = new Date(Date.now() + 1000)
  run(() => now)
  for (const { id } of orders.slice(6)) await own.reached(id, 'broadcast')
  expect(asked).toEqual([8, 2])
})

test('no statement of a queue reads sends that have ended', async () => {
  const own = await testBlockchain({ workers: false })
  ends.push(() => own.stop())
  const file = openReadOnly(own.file)
  for (const statement of Object.values({ ...queueReads, firstDue: queueReads.firstDue([param('address')]) })) {
    const plan = JSON.stringify(file.rows(`explain query plan ${statement(own.deps.store.read).toSQL().sql}`))
    expect(plan).toMatch(/^(?!.*(SCAN|USING \w*\s?INDEX (?!sends_due ))).*INDEX sends_due \(network=\? AND sender=\?/)
  }
  expect(file.rows("select sql from sqlite_schema where name = 'sends_due'")[0]?.sql).toMatch(/"due_at" is not null$/)
  file.close()
})

test('a node that is too slow for all that waits gets less at a time, until all is on its way', async () => {
  const { own, chain, run } = await begin()
  const { draft } = chain.sending
  const asked: number[] = []
  chain.sending.draft = async (request) => {
    asked.push(request.orders.length)
    if (request.orders.length > 3) throw new Error('No node answered in time')
    return await draft(request)
  }
  const orders = Array.from({ length: 9 }, () => newSend({ from: hot, amount: '1' }))
  for (const order of orders) await own.internal('POST', '/sends', order)
  run()
  for (const { id } of orders) await own.reached(id, 'broadcast')
  expect(asked.slice(0, 3)).toEqual([9, 4, 2])
  expect(Math.max(...asked.slice(3))).toBeGreaterThan(2)
})
