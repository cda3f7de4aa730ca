// Whom a network that hangs, and a sender whose queue fails, hold up: nobody else.
import { afterEach, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { until } from '@bursar/testing'
import type { DraftRequest } from '../src/networks/network'
import { startSending } from '../src/sends/sending'
import { findSend } from '../src/sends/sends'
import { senders } from '../src/sends/sends.table'
import { fresh, hot, type TestBlockchain, testBlockchain } from './harness'

let own: TestBlockchain
afterEach(() => own.stop())

/** The service; what is drafted on a network waits for `before`. */
async function begin(network: string, before: (request: DraftRequest) => Promise<void>) {
  own = await testBlockchain({ workers: false })
  const { sending } = await own.deps.networks.open(network)
  const { draft } = sending
  sending.draft = async (request) => {
    await before(request)
    return await draft(request)
  }
}

test('a network that hangs holds up its own sends alone, however many senders wait on it', async () => {
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  await begin('ethereum', async ({ sender }) => {
    asked.push(sender)
    await gate.promise
  })
  const sending = startSending(own.deps)
  const hanging: string[] = []
  for (let i = 0; i < 40; i++) {
    const from = fresh()
    await own.payIn(from, '1')
    hanging.push((await own.send({ from, amount: '1' })).id)
    await sending.wake()
  }
  await until(() => asked.length > 0)
  for (const network of ['polygon', 'base']) {
    await own.payIn(hot, '1', network === 'polygon' ? 'POL' : 'ETH', network)
    const { id } = await own.send({ network, amount: '1' })
    await own.reached(id, 'confirmed')
  }
  // One look at a time: those who came after the first wait for its end.
  expect(asked).toHaveLength(1)
  gate.resolve()
  for (const id of hanging) await own.reached(id, 'confirmed')
  await sending.stop()
})

test('a sender whose queue cannot be worked on holds up no other, and goes on later', async () => {
  let isAway = true
  await begin('ethereum', async ({ sender }) => {
    if (isAway && sender === hot) throw new Error('The node does not know what this one has')
  })
  const other = fresh()
  for (const address of [hot, other]) await own.payIn(address, '1')
  const [stuck, going] = [await own.send({ amount: '1' }), await own.send({ from: other, amount: '1' })]
  const sending = startSending(own.deps)
  await own.reached(going.id, 'confirmed')
  const shown = await until(async () => {
    const { body } = await own.get(`/sends/${stuck.id}`)
    return body.failures > 1 && body
  })
  expect(shown).toMatchObject({ status: 'accepted', lastError: 'The node does not know what this one has' })
  isAway = false
  await own.reached(stuck.id, 'confirmed')
  await sending.stop()
})

test('a sender whose lease is lost keeps nothing of what it signed, and those that are worked on with it keep theirs', async () => {
  await begin('ethereum', async ({ sender }) => {
    if (sender !== hot) return
    const leasedUntil = new Date(Date.now() + 60_000)
    await own.deps.store.commit(async (tx) => {
      await tx.update(senders).set({ leasedUntil }).where(eq(senders.address, hot))
    })
  })
  const others = [fresh(), fresh()]
  for (const address of [hot, ...others]) await own.payIn(address, '1')
  const { id: lost } = await own.send({ amount: '1' })
  const going = await Promise.all(others.map((from) => own.send({ from, amount: '1' })))
  const sending = startSending(own.deps)
  for (const { id } of going) await own.reached(id, 'confirmed')
  await sending.stop()
  expect(await findSend(own.deps.store.read, lost)).toMatchObject({ status: 'accepted', txHash: null, nonce: null })
})
