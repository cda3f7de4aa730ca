// The EVM network: anvil, which makes a block when this process says so, behind a node that may lie.
import { until } from '@bursar/testing'
import { type Anvil, startAnvil } from '../../../services/blockchain/test/evm/anvil'
import { type LyingNode, lyingNode } from './lying-node'
import { callData, hex, rpc, selectors } from './rpc'

export const chainId = 31_337

export interface Node {
  /** The node itself: for the run and its recount. */
  url: string
  /** For the services. */
  front: LyingNode
  token: string
  /** Pays coins (`token` null) or tokens from the bank, or another unlocked account; the hash. */
  pay(to: string, token: string | null, amount: bigint, from?: string): Promise<string>
  /** Sends any transaction from an account of anvil's. */
  send(transaction: Record<string, string>): Promise<string>
  kill(): Promise<void>
  start(): Promise<void>
  freeze(): void
  thaw(): void
  /** Does something at the node, which then is as it was before. */
  takenBack<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** Anvil's own first accounts, unlocked: who pays in, and who spends what a portfolio has approved. */
export const bank = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const outsider = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export async function startNode(blockMs: number): Promise<Node> {
  const anvil: Anvil = await startAnvil()
  const token = (await anvil.deployToken(10n ** 18n)).toLowerCase()
  const front = lyingNode(anvil.url)
  let isUp = true
  let block: Promise<unknown> = Promise.resolve()
  const mining = setInterval(() => {
    if (isUp) block = Promise.allSettled([block, anvil.mine()])
  }, blockMs)
  const send = (transaction: Record<string, string>) => rpc<string>(anvil.url, 'eth_sendTransaction', [transaction])
  return {
    url: anvil.url,
    front,
    token,
    send,
    pay: (to, of, amount, from = bank) =>
      send(
        of === null
          ? { from, to, value: hex(amount) }
          : { from, to: of, data: callData(selectors.transfer, to, amount), gas: hex(200_000n) },
      ),
    async kill() {
      isUp = false
      // Within a block it would write down balances and nonces of a block that it does not have: no chain does that.
      await block
      await anvil.kill()
    },
    async start() {
      // After a long run it reads much, and may take longer than one start has.
      await anvil.start().catch(() => until(() => anvil.client.getChainId(), { what: 'the node' }))
      isUp = true
    },
    freeze() {
      isUp = false
      anvil.pause()
    },
    thaw() {
      anvil.resume()
      isUp = true
    },
    async takenBack(work) {
      // A block made while the node goes back would be numbered after those that it takes back, and leave a gap.
      isUp = false
      await block
      const snapshot = await rpc(anvil.url, 'evm_snapshot')
      try {
        return await work()
      } finally {
        await rpc(anvil.url, 'evm_revert', [snapshot])
        isUp = true
      }
    },
    async stop() {
      clearInterval(mining)
      anvil.resume()
      await anvil.kill()
      await front.stop()
    },
  }
}
