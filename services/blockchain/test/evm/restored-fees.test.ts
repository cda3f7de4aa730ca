// After a restore this service does not know all of its sends: what they cost is told all the same, once it is final.
import { afterEach, describe, expect, test } from 'bun:test'
import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import type { SignedOrder } from '@bursar/contracts/wallet'
import { until } from '@bursar/testing'
import type { Hex } from 'viem'
import { untoldFees } from '../../src/movements/untold-fees.table'
import { accountId, newSend } from '../harness'
import { anvilBinary, hotWallet } from './anvil'
import { confirmations, fresh } from './on-anvil'
import { restorable } from './restorable'

describe.skipIf(!anvilBinary)('the fee of a send that a restore took away', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** An order that is in a block, and not final, when the database is set back to before it. */
  async function begin({ isWatched = true, isPortfolio = false, kind = 'withdrawal' as SignedOrder['kind'] } = {}) {
    const scene = await restorable(ends)
    const { node, wallet, service, backUp, restore, hand } = scene
    await service().watch(isWatched ? hotWallet.address : fresh(), 'ethereum', { isPortfolio })
    await backUp()
    const to = fresh()
    const transactionData = kind === 'execution' ? { to, value: '4' } : null
    const order = newSend({ from: hotWallet.address, to, amount: '4', transactionData })
    await hand(order)
    const { txHash } = await service().reached(order.id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    wallet.signedOrder = (hash) =>
      hash === txHash ? { id: order.id, kind, accountId, payer: hotWallet.address, contractAddress: null } : null
    await node.mine()
    await service().halt()
    await restore()
    const told = async (): Promise<ConfirmedMovement[]> =>
      (await service().internal('GET', '/movements/changes')).body.items.map(
        ({ record }: { record: ConfirmedMovement }) => record,
      )
    const scannedTo = async (block: bigint) => {
      const network = ({ network }: { network: string }) => network === 'ethereum'
      await until(async () => (await service().get('/networks')).body.find(network)?.scannedTo >= Number(block))
    }
    const isWhole = async () => {
      const body = { items: [{ network: 'ethereum', txHash }] }
      const as = await service().asService('core-ledger')
      return (await service().ask('POST', '/internal/movements/told', body, as)).body.items[0].isWhole
    }
    await scannedTo(await node.client.getBlockNumber())
    return { ...scene, order, txHash: txHash as Hex, told, scannedTo, isWhole }
  }

  test.each([[{}], [{ isPortfolio: true }], [{ isPortfolio: true, kind: 'execution' as const }]])(
    'is told with its order, once it is final, and once: %j',
    async (what) => {
      const { node, order, txHash, told, isWhole, restart } = await begin(what)
      expect(await told()).toEqual([])
      await restart()
      await node.mine(confirmations)
      const fee = await until(async () => (await told()).find(({ kind }) => kind === 'fee'))
      const { gasUsed, effectiveGasPrice } = await node.client.getTransactionReceipt({ hash: txHash })
      expect(fee).toMatchObject({
        txHash,
        accountId,
        address: hotWallet.address,
        amount: String(gasUsed * effectiveGasPrice),
        orderId: order.id,
      })
      await until(isWhole)
      expect((await told()).filter(({ kind }) => kind === 'fee')).toHaveLength(1)
    },
  )

  test.each(['fates', 'payments'] as const)(
    'of an address that is not watched: by the question for %s',
    async (what) => {
      const { node, service, order, txHash, told } = await begin({ isWatched: false })
      await node.mine(confirmations)
      const [network, as] = ['ethereum', (name: 'wallet' | 'core-ledger') => service().asService(name)]
      const signed = { network, txHash, sender: hotWallet.address, nonce: 0, blockhash: null }
      const answer =
        what === 'fates'
          ? await service().ask('POST', '/internal/signatures/fates', { items: [signed] }, await as('wallet'))
          : await service().ask(
              'POST',
              '/internal/sends/paid',
              { items: [{ id: order.id, network, txHash }] },
              await as('core-ledger'),
            )
      expect(answer.body.items).toMatchObject([what === 'fates' ? { fate: 'final' } : { amount: '4', accountId: null }])
      expect(await told()).toMatchObject([{ kind: 'fee', orderId: order.id, accountId: null }])
    },
  )

  test('is not waited for in a block that was reorganised away, and told of the one that has it then', async () => {
    const { node, service, txHash, told, scannedTo } = await begin({ isPortfolio: true })
    const waiting = async () => (await service().deps.store.read.select().from(untoldFees)).map(({ block }) => block)
    const head = await node.client.getBlockNumber()
    expect(await waiting()).toEqual([Number(head)])
    const method = 'eth_getRawTransactionByHash'
    const raw = (await node.client.request({ method, params: [txHash] } as never)) as Hex
    await node.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await node.mine(confirmations)
    await scannedTo(head + BigInt(confirmations))
    expect([await told(), await waiting()]).toEqual([[], []])
    await node.client.sendRawTransaction({ serializedTransaction: raw })
    await node.mine(confirmations)
    await until(async () => (await told()).some(({ kind }) => kind === 'fee'))
    await until(async () => (await waiting()).length === 0)
  })
})
