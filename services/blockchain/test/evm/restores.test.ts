// The database of this service alone is restored from an older backup, while the chain and the wallet service have gone
// on.
import { afterEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { NewSend } from '@bursar/contracts/blockchain'
import { tempDir, until } from '@bursar/testing'
import { type Hex, parseEther, parseTransaction } from 'viem'
import { newSend, testBlockchain } from '../harness'
import { refusal, type TestWallet, testWallet } from '../wallet'
import { anvilBinary, hotWallet } from './anvil'
import { fresh } from './on-anvil'
import { restorable } from './restorable'

describe.skipIf(!anvilBinary)('a database that is set back', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const begin = (env: Record<string, string> = {}) => restorable(ends, env)
  const payment = (fields: Partial<NewSend> = {}) =>
    newSend({ from: hotWallet.address, to: fresh(), amount: '4', ...fields })
  /** The wallet service's record of an order that was paid. */
  const paid = (id: string, txHash: string | null) => ({ id, status: 'broadcast', txHash, reason: null })
  const records = (wallet: TestWallet, record: (id: string) => object | null) => {
    wallet.record = (id) => {
      const found = record(id)
      return found ? Response.json(found) : new Response(null, { status: 404 })
    }
  }

  test('to before the order: sent again it waits for its earlier signature, and is paid once', async () => {
    const { node, wallet, stateOf, backUp, restore, hand, confirmed, looked } = await begin()
    await backUp()
    const order = payment()
    await hand(order)
    await confirmed(order.id)
    await restore()
    await hand(order)
    await looked(order.id)
    expect(await stateOf(order.id)).toMatchObject({
      status: 'accepted',
      lastError: `Signed before as ${wallet.signatures.get(order.id)?.[0]}, which is final`,
    })
    expect(await node.client.getBalance({ address: order.to as Hex })).toBe(4n)
    expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(1)
  })

  test('to after the order: it is confirmed by the transaction that the wallet service knows', async () => {
    const { node, wallet, service, backUp, restore, hand, confirmed } = await begin()
    // The wallet service signs nothing yet.
    const { sign } = wallet
    wallet.sign = () => {
      throw refusal(503, 'not now')
    }
    const order = payment()
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await backUp()
    wallet.sign = sign
    const { txHash } = await confirmed(order.id)
    records(wallet, (id) => paid(id, txHash))
    await restore()
    expect(await confirmed(order.id)).toMatchObject({ txHash })
    expect(await node.client.getBalance({ address: order.to as Hex })).toBe(4n)
    expect(await service().states(order.id)).not.toContain('failed')
  })

  test.each([
    ['a backup', 'backUp'],
    ['a copy of the same run', 'copyRunning'],
  ] as const)(
    'to after the order, from %s: what cannot be paid again waits, and has not failed; restarts change nothing',
    async (_, copy) => {
      const { node, wallet, stateOf, service, restore, restart, hand, confirmed, looked, ...scene } = await begin()
      const { sign } = wallet
      wallet.sign = () => {
        throw refusal(503, 'not now')
      }
      // There is not so much a second time.
      const order = payment({ amount: String(parseEther('9000')) })
      await hand(order)
      await until(() => wallet.signed.length > 0)
      await scene[copy]()
      wallet.sign = sign
      const { txHash } = await confirmed(order.id)
      await restore()
      await looked(order.id)
      await restart()
      await looked(order.id)
      expect(await stateOf(order.id)).toMatchObject({
        status: 'accepted',
        lastError: expect.stringMatching(/^From before a restore, and perhaps paid since; .*: insufficient funds/),
      })
      expect(await service().states(order.id)).not.toContain('failed')
      // The wallet service knows its transaction after all.
      records(wallet, (id) => paid(id, txHash))
      expect(await confirmed(order.id)).toMatchObject({ txHash })
      expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(1)
    },
  )

  test('to after the order, unnoticed: what the wallet service knows as sent has not failed', async () => {
    const { node, wallet, service, dataDir, copyRunning, restore, hand, confirmed } = await begin()
    const { sign } = wallet
    wallet.sign = () => {
      throw refusal(503, 'not now')
    }
    const order = payment({ amount: String(parseEther('9000')) })
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await copyRunning()
    wallet.sign = sign
    const { txHash } = await confirmed(order.id)
    records(wallet, (id) => paid(id, txHash))
    rmSync(join(dataDir, 'blockchain.newest.run'))
    await restore()
    expect(await confirmed(order.id)).toMatchObject({ txHash })
    expect(await service().states(order.id)).not.toContain('failed')
    expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(1)
  })

  test('to after the order of an execution: it is confirmed by the transaction that the wallet service knows', async () => {
    const { node, wallet, backUp, restore, hand, confirmed } = await begin()
    const { sign } = wallet
    wallet.sign = () => {
      throw refusal(503, 'not now')
    }
    const order = payment({ amount: String(parseEther('9000')) })
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await backUp()
    wallet.sign = sign
    const { txHash } = await confirmed(order.id)
    const known = { kind: 'execution', accountId: null, network: 'ethereum', status: 'confirmed', txHash } as const
    wallet.execution = (id) => ({ id, ...known })
    await restore()
    expect(await confirmed(order.id)).toMatchObject({ txHash })
    expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(1)
  })

  test('a refusal of the wallet service is no end of it either, but its record is', async () => {
    const { wallet, stateOf, backUp, restore, hand, looked } = await begin()
    wallet.sign = () => {
      throw refusal(503, 'not now')
    }
    const order = payment()
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await backUp()
    wallet.sign = () => {
      throw refusal(422, 'its order has ended: confirmed')
    }
    await restore()
    await looked(order.id)
    expect(await stateOf(order.id)).toMatchObject({
      status: 'accepted',
      lastError: expect.stringMatching(/its order has ended: confirmed$/),
    })
    records(wallet, (id) => ({ id, status: 'failed', txHash: null, reason: 'refused at the wallet' }))
    await until(async () => (await stateOf(order.id)).status === 'failed')
    expect((await stateOf(order.id)).reason).toBe('refused at the wallet')
  })

  test('to after the order, which nobody knows any more: it waits, says so, and ends by the refusal', async () => {
    const { wallet, stateOf, backUp, restore, hand, looked } = await begin()
    wallet.sign = () => {
      throw refusal(404, 'No order of the id is known')
    }
    const order = payment()
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await backUp()
    await restore()
    for (let looks = 0; looks < 5; looks += 1) await looked(order.id)
    expect(await stateOf(order.id)).toMatchObject({
      status: 'accepted',
      lastError: expect.stringMatching(/^From before a restore, .*\(bun run wallet:held --end\): No order of the id/),
    })
    records(wallet, (id) => ({ id, status: 'failed', txHash: null, reason: 'refused' }))
    await until(async () => (await stateOf(order.id)).status === 'failed')
  })

  test('to after the order, that was never signed: it is paid, once', async () => {
    const { node, wallet, backUp, restore, hand, confirmed } = await begin()
    const { sign } = wallet
    wallet.sign = () => {
      throw refusal(503, 'not now')
    }
    const order = payment()
    await hand(order)
    await until(() => wallet.signed.length > 0)
    await backUp()
    await restore()
    wallet.sign = sign
    await confirmed(order.id)
    expect(await node.client.getBalance({ address: order.to as Hex })).toBe(4n)
  })

  test('to after the broadcast: confirmed by what it signed, or by its replacement', async () => {
    const { node, wallet, backUp, restore, restart, hand, service, confirmed, stateOf } = await begin()
    const order = payment()
    await hand(order)
    const { txHash } = await service().reached(order.id, 'broadcast')
    await backUp()
    const { settings } = await service().deps.networks.open('ethereum')
    settings.stuckAfterMs = 1000
    const replacement = () => wallet.signatures.get(order.id)?.slice(1).at(-1) as Hex
    await until(() => node.client.getTransaction({ hash: replacement() }))
    const ended = await confirmed(order.id)
    expect(ended.txHash).not.toBe(txHash)
    await restore({ workers: false })
    expect(await stateOf(order.id)).toMatchObject({ txHash })
    await restart()
    expect(await confirmed(order.id)).toMatchObject({ txHash: ended.txHash })
    expect(await node.client.getBalance({ address: order.to as Hex })).toBe(4n)
    expect(await service().states(order.id)).not.toContain('failed')
  })

  test('to after the confirmation: nothing is signed', async () => {
    const { node, wallet, backUp, restore, hand, confirmed, stateOf } = await begin()
    const order = payment()
    await hand(order)
    const { txHash } = await confirmed(order.id)
    await backUp()
    const other = payment()
    await hand(other)
    await confirmed(other.id)
    const signed = wallet.signed.length
    await restore()
    await hand(order)
    expect(await stateOf(order.id)).toMatchObject({ status: 'confirmed', txHash })
    expect(wallet.signed).toHaveLength(signed)
    expect(await node.client.getBalance({ address: order.to as Hex })).toBe(4n)
  })

  test('gives no nonce a second time that was given since: those that wait on the node, and those of its own record', async () => {
    const { node, wallet, service, backUp, restore, hand, confirmed } = await begin()
    const [first, second, third] = [payment(), payment(), payment()]
    await hand(first)
    await service().reached(first.id, 'broadcast')
    await backUp()
    await hand(second)
    await service().reached(second.id, 'broadcast')
    await restore()
    await hand(third)
    await service().reached(third.id, 'broadcast')
    await confirmed(third.id)
    await confirmed(first.id)
    const nonces = wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0)
    expect(nonces).toEqual([0, 1, 2])
    for (const { to } of [first, second, third]) expect(await node.client.getBalance({ address: to as Hex })).toBe(4n)
  })

  test('the node has forgotten what waited: the next nonce follows that of the record', async () => {
    const { node, wallet, service, backUp, restore, hand, confirmed } = await begin()
    const [first, second] = [payment(), payment()]
    await hand(first)
    const { txHash } = await service().reached(first.id, 'broadcast')
    await backUp()
    await service().halt()
    await node.client.request({ method: 'anvil_dropTransaction', params: [txHash] } as never)
    await restore()
    await hand(second)
    await confirmed(second.id)
    await confirmed(first.id)
    expect(wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0)).toEqual([0, 1])
  })
})

test('a start without a restore, and the first one, hold nothing', async () => {
  const dataDir = tempDir()
  const wallet = testWallet(() => {
    throw refusal(422, 'no')
  })
  const one = await testBlockchain({ dataDir, wallet, workers: false })
  await one.payIn(hotWallet.address, '10')
  const order = newSend({ from: hotWallet.address })
  await one.internal('POST', '/sends', order)
  await one.close()
  const two = await testBlockchain({ dataDir, wallet })
  expect((await two.reached(order.id, 'failed')).reason).toBe('The wallet service refused: no')
  await two.stop()
})
