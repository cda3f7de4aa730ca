import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { NewSend, SendState, SignatureFate } from '@bursar/contracts/blockchain'
import { tempDir, until } from '@bursar/testing'
import { type Hex, keccak256, parseTransaction } from 'viem'
import { type TestBlockchain, testBlockchain } from '../harness'
import { refusal, type TestWallet, testWallet } from '../wallet'
import { hotWallet, startAnvil } from './anvil'
import { signEvm } from './evm-wallet'
import { confirmations, settled } from './on-anvil'

const files = ['blockchain.sqlite', 'blockchain.sqlite-wal', 'blockchain.sqlite-shm'] as const

/**
 * A wallet service as its contract says: it keeps what it has signed, and signs an order with another nonce only when
 * all its earlier signatures are dead.
 */
function carefulWallet(service: () => TestBlockchain): TestWallet & { signatures: Map<string, Hex[]> } {
  const signatures = new Map<string, { nonce: number; txHash: Hex }[]>()
  const wallet = testWallet(async (asked) => {
    const before = signatures.get(asked.orderId) ?? []
    const { nonce = 0 } = parseTransaction(asked.unsigned as Hex)
    const others = before.filter((each) => each.nonce !== nonce)
    if (others.length > 0) {
      const items = others.map((each) => ({
        ...each,
        network: 'ethereum',
        sender: hotWallet.address,
        blockhash: null,
      }))
      const { body } = await service().internal<{ items: (SignatureFate | null)[] }>('POST', '/signatures/fates', {
        items,
      })
      const alive = body.items.find((each) => each?.fate !== 'dead')
      if (alive !== undefined) throw refusal(409, `Signed before as ${others[0]?.txHash}, which is ${alive?.fate}`)
    }
    const signed = await signEvm(asked)
    signatures.set(asked.orderId, [...before, { nonce, txHash: keccak256(signed.signed as Hex) }])
    return signed
  })
  const hashes = {
    get: (id: string) => signatures.get(id)?.map(({ txHash }) => txHash),
  } as Map<string, Hex[]>
  return Object.assign(wallet, { signatures: hashes })
}

/**
 * The service on a node of its own, with its database's backup and restore. `ends` takes what is to be stopped; `before`
 * puts something in front of the node.
 */
export async function restorable(
  ends: (() => Promise<unknown>)[],
  env: Record<string, string> = {},
  before = (url: string) => url,
) {
  const node = await startAnvil()
  ends.push(() => node.kill())
  const url = before(node.url)
  const dataDir = tempDir()
  const kept = tempDir()
  let service: TestBlockchain
  const wallet = carefulWallet(() => service)
  ends.push(() => wallet.server.stop())
  const open = async (workers = true) => {
    service = await testBlockchain({
      dataDir,
      wallet,
      workers,
      env: {
        ETHEREUM_RPC_URLS: url,
        ETHEREUM_CHAIN_ID: '31337',
        ETHEREUM_CONFIRMATIONS: String(confirmations),
        ...env,
      },
    })
  }
  const close = async () => {
    await service.halt()
    await service.close()
  }
  const copy = (from: string, to: string) => {
    for (const name of files) {
      rmSync(join(to, name), { force: true })
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
    }
  }
  await open()
  ends.push(() => close())
  const stateOf = async (id: string) => (await service.get(`/sends/${id}`)).body
  return {
    node,
    dataDir,
    wallet,
    stateOf,
    service: () => service,
    /** Takes a copy by hand, while the service runs: nothing else is written in the body of a commit. */
    copyRunning: () => service.deps.store.commit(async () => copy(dataDir, kept)),
    /** Takes a backup. */
    async backUp() {
      await close()
      copy(dataDir, kept)
      await open()
    },
    async restore({ workers = true } = {}) {
      await close()
      copy(kept, dataDir)
      await open(workers)
    },
    restart: async () => {
      await close()
      await open()
    },
    /** Hands an order over, as the wallet service does, which repeats it. */
    hand: async (order: NewSend) => (await service.internal<SendState>('POST', '/sends', order)).body,
    /** Mines until it is confirmed. */
    confirmed: (id: string): Promise<SendState> => settled({ service, node }, id),
    /** Lets it be looked at often enough that something would have happened. */
    async looked(id: string) {
      const before = (await stateOf(id)).failures
      await until(
        async () => {
          await node.mine()
          return (await stateOf(id)).failures > before + 2
        },
        { what: 'some looks at the send' },
      )
    },
  }
}
