// What was found of a queue that another instance has taken over meanwhile, for its lease ran out.
import { afterEach, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Drafted } from '../src/networks/network'
import { startSending } from '../src/sends/sending'
import { findSend, recordAttempt, recordEnds } from '../src/sends/sends'
import { type SendRow, senders } from '../src/sends/sends.table'
import { hot, newSend, testBlockchain } from './harness'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const signers = [hot]
const attempt = { unsigned: '', signed: '', signers, nonce: 0, expiresAt: null, txHash: '0xa', createdAt: new Date(0) }

/** The node answers so on a draft, and another instance has sent the order before that is written down. */
async function answered(answer: Drafted, isFinal = false): Promise<SendRow> {
  const own = await testBlockchain({ workers: false })
  ends.push(() => own.stop())
  const { store, networks } = own.deps
  const order = newSend({ from: hot })
  await own.internal('POST', '/sends', order)
  const chain = await networks.open('ethereum')
  let isAsked = false
  chain.sending.draft = async () => {
    await store.commit(async (tx) => {
      await tx.update(senders).set({ leasedUntil: new Date(Date.now() + 60_000) })
      await recordAttempt(tx, (await findSend(tx, order.id)) as SendRow, attempt, new Date())
      const row = (await findSend(tx, order.id)) as SendRow
      if (isFinal) await recordEnds(tx, [{ row, txHash: '0xa', reason: null, now: new Date() }])
    })
    isAsked = true
    return [answer]
  }
  const sending = startSending(own.deps)
  await until(() => isAsked)
  await sending.stop()
  return (await findSend(store.read, order.id)) as SendRow
}

test('what a node refuses to an instance that has lost the queue fails nothing that was sent', async () => {
  const row = await answered({ refused: 'insufficient funds' })
  expect(row).toMatchObject({ status: 'broadcast', txHash: '0xa', nonce: 0, reason: null })
})

test('what it would have wait for others is not due again once it is final', async () => {
  const row = await answered({ waiting: 'insufficient funds' }, true)
  expect(row).toMatchObject({ status: 'confirmed', txHash: '0xa', dueAt: null, lastError: null })
})
