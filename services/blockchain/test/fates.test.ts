// What became of transactions that were signed for a simulated network (contracts, getSignatureFates).
import { expect, test } from 'bun:test'
import type { SignatureFate } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import { mine } from '../src/networks/simulated/mining'
import { startSending } from '../src/sends/sending'
import { hot, newSend, testBlockchain } from './harness'

const unheard = `0x${'1'.repeat(64)}`

test('dead unless it is in a block or waits for one; final with its confirmations', async () => {
  const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '2' }, workers: false })
  const fateOf = async (txHash: string) => {
    const item = { network: 'ethereum', txHash, sender: hot, nonce: 0, blockhash: null }
    const { body } = await own.internal<{ items: SignatureFate[] }>('POST', '/signatures/fates', { items: [item] })
    return body.items[0]
  }
  await own.payIn(hot, '1')
  expect((await fateOf(unheard))?.fate).toBe('dead')
  const chain = await own.deps.networks.open('ethereum')
  const { broadcast } = chain.sending
  chain.sending.broadcast = async () => {
    throw new Error('the process ends here')
  }
  const order = newSend({ from: hot })
  await own.internal('POST', '/sends', order)
  const sending = startSending(own.deps)
  const txHash = (await own.reached(order.id, 'broadcast')).txHash ?? ''
  expect(await fateOf(txHash)).toEqual({ txHash, fate: 'open', reason: 'It waits for its block' })
  chain.sending.broadcast = broadcast
  await until(async () => (await fateOf(txHash))?.reason === 'It is in a block that is not final')
  await mine(own.deps)
  expect((await fateOf(txHash))?.fate).toBe('final')
  await sending.stop()
  await own.stop()
})

test('reverted when its sender had too little by then', async () => {
  const own = await testBlockchain({ workers: false })
  const { sending } = await own.deps.networks.open('ethereum')
  const unsigned = {
    network: 'ethereum',
    nonce: 0,
    from: hot,
    to: hot,
    contractAddress: null,
    amount: '5',
    orderId: 'x',
  }
  const attempt = {
    unsigned: JSON.stringify(unsigned),
    signed: '',
    signers: [hot],
    txHash: unheard,
    nonce: 0,
    expiresAt: null,
  }
  await sending.broadcast([{ ...attempt, createdAt: new Date() }])
  const item = { network: 'ethereum', txHash: unheard, sender: hot, nonce: 0, blockhash: null }
  const { body } = await own.internal('POST', '/signatures/fates', { items: [item] })
  expect(body.items).toEqual([{ txHash: unheard, fate: 'reverted', reason: 'insufficient balance' }])
  await own.stop()
})
