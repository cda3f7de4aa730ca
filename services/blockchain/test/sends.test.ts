import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tempDir, until } from '@bursar/testing'
import { giveBack, senderQueue } from '../src/sends/queue'
import { startSending } from '../src/sends/sending'
import { alice, bob, fresh, hot, newSend, refused, type TestBlockchain, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
})
afterAll(() => service.stop())

/** A state that is published together with a newer one does not go out. */
const broadcastAndConfirmed = ['broadcast,confirmed', 'confirmed']

describe('POST /internal/sends', () => {
  const funded = async (amount = '100') => {
    const address = fresh()
    await service.payIn(address, amount)
    return address
  }

  test('is signed, sent and confirmed, and each change is published', async () => {
    const from = await funded()
    const order = newSend({ from })
    const first = await service.internal('POST', '/sends', order)
    expect(first).toMatchObject({ status: 201, body: { id: order.id, status: 'accepted', txHash: null, reason: null } })
    const state = await service.reached(order.id, 'confirmed')
    expect(state.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(broadcastAndConfirmed).toContain((await service.states(order.id)).join())
    const { body } = await service.internal('GET', '/sends/changes')
    expect(body.items.find(({ record }: { record: { id: string } }) => record.id === order.id).record).toEqual(state)
    expect((await service.get(`/addresses/${from}`)).body.data[0].amount).toBe('99')
  })

  test('the same again is the same order, whatever else it says', async () => {
    const from = await funded()
    const order = newSend({ from })
    const answers = await Promise.all(
      [1, 2, 3].map((n) => service.internal('POST', '/sends', { ...order, amount: `${n}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    await service.reached(order.id, 'confirmed')
    expect((await service.internal('POST', '/sends', order)).body.status).toBe('confirmed')
    const { body } = await service.internal('POST', '/sends/batch', { items: [order, order] })
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['confirmed', 'confirmed'])
    expect(service.wallet.signed.filter(({ orderId }) => orderId === order.id)).toHaveLength(1)
    expect(broadcastAndConfirmed).toContain((await service.states(order.id)).join())
  })

  test('one that comes twice in a batch is taken once', async () => {
    const order = newSend({ from: await funded() })
    const { body } = await service.internal('POST', '/sends/batch', { items: [order, { ...order, amount: '7' }] })
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([order.id, order.id])
    await service.reached(order.id, 'confirmed')
    expect(broadcastAndConfirmed).toContain((await service.states(order.id)).join())
  })

  test.each([
    [{ network: 'no/net' }, 'There is no network no/net here'],
    [{ to: 'somewhere' }, 'to is not an address of ethereum: somewhere'],
    [{ to: '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi' }, /^to is not an address of ethereum/],
    [{ from: 'x' }, /^from is not an address/],
    [{ contractAddress: 'x' }, /^contractAddress is not an address/],
    [{ amount: '0' }, 'amount must be above 0'],
  ])('%j is recorded as failed', async (fields, reason) => {
    const order = newSend(fields)
    const { status, body } = await service.internal('POST', '/sends', order)
    expect([status, body.status]).toEqual([201, 'failed'])
    expect(body.reason).toMatch(reason)
    expect((await service.internal('GET', `/sends/${order.id}`)).body).toEqual(body)
    expect(await service.states(order.id)).toEqual(['failed'])
  })

  test('more than the sender holds fails, and those behind it go on', async () => {
    const from = await funded('1')
    const tooMuch = await service.send({ from, amount: '1000000000000000001' })
    const enough = await service.send({ from })
    expect((await service.reached(tooMuch.id, 'failed')).reason).toBe(
      `insufficient funds: ${from} holds 1, and 1.000000000000000001 is to be sent`,
    )
    await service.reached(enough.id, 'confirmed')
  })

  test('200 orders of one sender all arrive, each once, in the order of their nonces', async () => {
    const from = await funded('200')
    const to = `0x${'77'.repeat(20)}`
    const sent = await Promise.all(Array.from({ length: 200 }, () => service.send({ from, to })))
    const states = await Promise.all(sent.map(({ id }) => service.reached(id, 'confirmed')))
    expect(new Set(states.map(({ txHash }) => txHash)).size).toBe(200)
    expect((await service.get(`/addresses/${to}`)).body.data[0].amount).toBe('200')
    // An order may be signed twice, on a busy machine, but under its one nonce.
    const signed = service.wallet.signed.filter(({ unsigned }) => unsigned.includes(from))
    const nonces = new Set<number>(signed.map(({ unsigned }) => JSON.parse(unsigned).nonce))
    expect([...nonces].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })

  test('401 for callers other than a service; 400 for what is no order; 404 for one that nobody gave', async () => {
    expect(refused(await service.post('/internal/sends', newSend()), 401).code).toBe('UNAUTHORIZED')
    const { status, body } = await service.internal('POST', '/sends', { ...newSend(), amount: '1.5', decimals: 39 })
    expect([status, body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['amount', 'decimals'],
    ])
    expect((await service.internal('GET', `/sends/${Bun.randomUUIDv7()}`)).status).toBe(404)
    expect((await service.internal('GET', '/sends/x')).status).toBe(400)
  })
})

describe('the wallet service', () => {
  test('refuses permanently: recorded, and those behind it go on with its nonce', async () => {
    const wallet = testWallet()
    const own = await testBlockchain({ wallet, workers: false })
    await own.payIn(hot, '10')
    const [first, bad, third] = [newSend(), newSend({ to: alice }), newSend()]
    wallet.sign = (order) => {
      if (order.orderId === bad.id) throw refusal(422, 'not of its order')
      return signSimulated(order)
    }
    for (const order of [first, bad, third]) await own.internal('POST', '/sends', order)
    const sending = startSending(own.deps)
    expect((await own.reached(bad.id, 'failed')).reason).toBe('The wallet service refused: not of its order')
    await own.reached(first.id, 'confirmed')
    await own.reached(third.id, 'confirmed')
    await sending.stop()
    await own.stop()
  })

  test.each([
    ['is away', () => refusal(503, 'not now')],
    ['fails', () => refusal(500, 'oops')],
    ['says something else', () => Response.json({ nothing: true })],
    ['signs something else', () => Response.json({ signed: JSON.stringify({ amount: '2' }), txHash: '0x' })],
    ['signs no JSON', () => Response.json({ signed: 'x', txHash: '0x' })],
  ])('%s: the order stays accepted and is signed later', async (_what, answer) => {
    const wallet = testWallet(() => {
      throw answer()
    })
    const own = await testBlockchain({ wallet })
    await own.payIn(hot, '10')
    const { id } = await own.send({})
    await until(() => wallet.signed.length > 0)
    expect((await own.internal('GET', `/sends/${id}`)).body.status).toBe('accepted')
    wallet.sign = signSimulated
    await own.reached(id, 'confirmed')
    await own.stop()
  })
})

describe('after a crash', () => {
  test('what was signed and stored is sent, once; what was not is signed anew', async () => {
    const dataDir = tempDir()
    const wallet = testWallet()
    const before = await testBlockchain({ dataDir, wallet })
    await before.payIn(hot, '10')
    // The broadcast fails, as if the process had ended right before it.
    const chain = await before.deps.networks.open('ethereum')
    const { broadcast } = chain.sending
    chain.sending.broadcast = async () => {
      throw new Error('the process ends here')
    }
    const stored = await before.send({})
    const { txHash } = await before.reached(stored.id, 'broadcast')
    await before.halt()
    chain.sending.broadcast = broadcast
    const waiting = await before.send({})
    await before.close()
    const after = await testBlockchain({ dataDir, wallet })
    expect((await after.reached(stored.id, 'confirmed')).txHash).toBe(txHash)
    await after.reached(waiting.id, 'confirmed')
    expect((await after.get(`/addresses/${bob}`)).body.data[0].amount).toBe('2')
    expect(wallet.signed.filter(({ orderId }) => orderId === stored.id)).toHaveLength(1)
    await after.stop()
  })

  test('what waits on a network without a name of its own goes on, too', async () => {
    const dataDir = tempDir()
    const wallet = testWallet(() => {
      throw refusal(503, 'not now')
    })
    const before = await testBlockchain({ dataDir, wallet })
    await before.payIn('me', '1', 'TESTNET', 'testnet')
    const { id } = await before.send({ network: 'testnet', from: 'me', to: 'you' })
    await until(() => wallet.signed.length > 0)
    await before.halt()
    await before.close()
    wallet.sign = signSimulated
    const after = await testBlockchain({ dataDir, wallet })
    await after.reached(id, 'confirmed')
    await after.stop()
  })

  test('what is prepared while another worker takes the queue over is not stored', async () => {
    const wallet = testWallet()
    const own = await testBlockchain({ wallet })
    await own.payIn(hot, '1')
    const { store } = own.deps
    const take = async (now: Date) => (await senderQueue.claim(store, { now, limit: 1, lane: 'ethereum' }))[0] ?? null
    let other: Awaited<ReturnType<typeof take>> = null
    const later = new Date(Date.now() + 60_000)
    wallet.sign = async (order) => {
      other = await take(later)
      return signSimulated(order)
    }
    const { id } = await own.send({})
    await until(() => wallet.signed.length > 0 && other !== null)
    expect(await take(new Date())).toBeNull()
    await own.halt()
    expect((await own.internal('GET', `/sends/${id}`)).body).toMatchObject({ status: 'accepted', txHash: null })
    await store.commit(async (tx) => other && (await giveBack(tx, [other])))
    wallet.sign = signSimulated
    const again = startSending(own.deps)
    await own.reached(id, 'confirmed')
    await again.stop()
    await own.stop()
  })

  test('what is found lost while another worker takes the queue over stays as it is', async () => {
    const own = await testBlockchain()
    await own.payIn(hot, '1')
    const { store, networks } = own.deps
    const { sending } = await networks.open('ethereum')
    sending.broadcast = async () => {
      throw new Error('no node')
    }
    let other: Awaited<ReturnType<typeof senderQueue.claim>>[number] | undefined
    sending.lossOf = async () => {
      other = (await senderQueue.claim(store, { now: new Date(Date.now() + 60_000), limit: 1, lane: 'ethereum' }))[0]
      return 'lost'
    }
    const { id } = await own.send({})
    await until(() => other !== undefined)
    await own.halt()
    expect((await own.internal('GET', `/sends/${id}`)).body).toMatchObject({ status: 'broadcast' })
    // The pass broke off before it told: the next one does.
    expect(await own.states(id)).toEqual([])
    sending.lossOf = async () => 'none'
    await store.commit(async (tx) => other && (await giveBack(tx, [other])))
    const again = startSending(own.deps)
    await until(async () => (await own.states(id)).length > 0)
    await again.stop()
    expect(await own.states(id)).toEqual(['broadcast'])
    await own.stop()
  })

  test('what waits for its block is told once, at the end of its pass; what has ended by then, by its end alone', async () => {
    const own = await testBlockchain()
    await own.payIn(hot, '2')
    const { id: first } = await own.paid({})
    expect(await own.states(first)).toEqual(['confirmed'])
    const { sending, settings } = await own.deps.networks.open('ethereum')
    // As on a real chain: a pass does not look at what it has just broadcast.
    Object.assign(settings, { kind: 'evm' })
    const { outcomes } = sending
    let looks = 0
    let toldByFirst: string[] = []
    sending.outcomes = async (attempts) => {
      looks += 1
      if (looks === 1) toldByFirst = await own.states(id)
      return attempts.map(() => ({ is: 'included' }))
    }
    const id = Bun.randomUUIDv7()
    await own.send({ id })
    await until(() => looks > 3)
    expect([toldByFirst, await own.states(id)]).toEqual([['broadcast'], ['broadcast']])
    sending.outcomes = outcomes
    await own.reached(id, 'confirmed')
    expect(await own.states(id)).toEqual(['broadcast', 'confirmed'])
    await own.stop()
  })

  test('two workers on one database send everything once', async () => {
    const one = await testBlockchain()
    const second = startSending(one.deps)
    await one.payIn(hot, '40')
    const sent = await Promise.all(Array.from({ length: 40 }, () => one.send({})))
    await Promise.all(sent.map(({ id }) => one.reached(id, 'confirmed')))
    expect((await one.get(`/addresses/${bob}`)).body.data[0].amount).toBe('40')
    expect(one.wallet.signed.length).toBeGreaterThanOrEqual(40)
    await second.stop()
    await one.stop()
  })
})
