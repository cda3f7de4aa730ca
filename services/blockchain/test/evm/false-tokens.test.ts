// A token whose contract says `false` instead of reverting: its transaction succeeds, and moves nothing.
import { afterEach, describe, expect, test } from 'bun:test'
import type { Hex } from 'viem'
import { anvilBinary, hotWallet } from './anvil'
import { behindLiar, fresh, onAnvil } from './on-anvil'

/** Answers 0 to `transfer`, and 65535 to whatever else is asked. */
const saysFalse: Hex = '0x60003560e01c63a9059cbb14601a5761ffff60005260206000f35b60206000f3'
/** Says nothing to `transfer`, as tokens of before the standard do, and 65535 to whatever else is asked. */
const saysNothing: Hex = '0x60003560e01c63a9059cbb14601a5761ffff60005260206000f35b60006000f3'

describe.skipIf(!anvilBinary)('a payment in a token', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  async function begin(bytecode: Hex) {
    const scene = await onAnvil()
    ends.push(
      () => scene.node.kill(),
      () => scene.service.stop(),
    )
    const contractAddress = fresh()
    await scene.node.client.setCode({ address: contractAddress, bytecode })
    const { id } = await scene.service.send({
      from: hotWallet.address,
      to: fresh(),
      contractAddress,
      amount: '5',
      decimals: 6,
    })
    return { ...scene, id }
  }

  test('whose contract refuses it without reverting is refused, and nothing is signed', async () => {
    const { service, id } = await begin(saysFalse)
    expect(await service.reached(id, 'failed')).toMatchObject({
      reason: 'the token refuses the transfer: its contract answers false',
      txHash: null,
    })
    expect(service.wallet.signed).toEqual([])
  })

  test('whose contract says nothing is sent', async () => {
    const { settled, id } = await begin(saysNothing)
    await settled(id)
  })
})

test.skipIf(!anvilBinary)('a portfolio’s own transaction is not asked for an answer', async () => {
  const ends: (() => Promise<unknown>)[] = []
  const { service, node, settled } = await behindLiar(ends)
  const contractAddress = fresh()
  await node.client.setCode({ address: contractAddress, bytecode: saysFalse })
  const transactionData = { to: contractAddress, data: `0xa9059cbb${'0'.repeat(128)}` }
  const { id } = await service.send({ from: hotWallet.address, to: contractAddress, amount: '0', transactionData })
  await settled(id)
  for (const end of ends.reverse()) await end()
})
