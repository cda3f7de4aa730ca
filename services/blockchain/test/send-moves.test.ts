import { afterAll, expect, test } from 'bun:test'
import { findSend, recordAttempt, recordEnds, recordFailed } from '../src/sends/sends'
import { testBlockchain } from './harness'

const service = await testBlockchain({ workers: false })
afterAll(() => service.stop())

test('a send that has ended is never broadcast, nor ended otherwise', async () => {
  const { id } = await service.send({ amount: '1' })
  const { store } = service.deps
  const now = new Date()
  const row = async () => {
    const found = await findSend(store.read, id)
    if (!found) throw new Error('The send is not there')
    return found
  }
  const accepted = await row()
  await store.commit((tx) => recordFailed(tx, accepted, 'never', null, now))
  const failed = await row()
  const draft = { unsigned: '', signed: '', signers: [], nonce: 0, expiresAt: null }
  const attempt = { ...draft, txHash: '0xlate', createdAt: now }
  await expect(store.commit((tx) => recordAttempt(tx, failed, attempt, now))).rejects.toThrow('cannot become broadcast')
  const end = { row: failed, txHash: '0xlate', reason: null, now }
  await expect(store.commit((tx) => recordEnds(tx, [end]))).rejects.toThrow('cannot become confirmed')
  expect(await row()).toEqual(failed)
  expect(await service.states(id)).toEqual(['failed'])
})
