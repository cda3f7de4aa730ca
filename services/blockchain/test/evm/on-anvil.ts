import { type LocalServer, until } from '@bursar/testing'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type TestBlockchain, testBlockchain } from '../harness'
import { testWallet } from '../wallet'
import { type Anvil, startAnvil } from './anvil'
import { signEvm } from './evm-wallet'
import { type Lie, lyingNode } from './lying-node'

export const confirmations = 3

/** An address that nobody has used. */
export const fresh = (): Hex => privateKeyToAddress(generatePrivateKey())

/** The service on a node of its own, where a token with 6 decimals is registered. `before` puts something between them. */
export async function onAnvil(env: Record<string, string> = {}, before = (url: string) => url) {
  const node = await startAnvil()
  const service = await testBlockchain({
    wallet: testWallet(signEvm),
    env: {
      ETHEREUM_RPC_URLS: before(node.url),
      ETHEREUM_CHAIN_ID: '31337',
      ETHEREUM_CONFIRMATIONS: String(confirmations),
      ...env,
    },
  })
  const token = await node.deployToken()
  if (env.ETHEREUM_RPC_URLS === undefined) {
    await service.internal('POST', '/tokens', {
      network: 'ethereum',
      contractAddress: token,
      code: 'TUSD',
      decimals: 6,
    })
  }
  return {
    node,
    service,
    token,
    depositOf: (txHash: string) => depositOf(service, txHash),
    settled: (id: string, status: 'confirmed' | 'failed' = 'confirmed') => settled({ service, node }, id, status),
    async stop() {
      await service.stop()
      await node.kill()
    },
  }
}
export type OnAnvil = Awaited<ReturnType<typeof onAnvil>>

/** Mines until the send is settled. */
export const settled = (
  { service, node }: { service: Pick<TestBlockchain, 'internal'>; node: Anvil },
  id: string,
  status: 'confirmed' | 'failed' = 'confirmed',
) =>
  until(
    async () => {
      const { body } = await service.internal('GET', `/sends/${id}`)
      if (body.status !== status) await node.mine()
      return body.status === status && body
    },
    { what: `send ${id} to be ${status}` },
  )

const depositOf = (service: TestBlockchain, txHash: string) =>
  until(async () => (await service.deposits()).find((deposit) => deposit.txHash === txHash), {
    what: 'the deposit',
  })

/**
 * The same, with a node that lies when it is told to between them. `ends` takes what is to be stopped; `urls` says which
 * nodes the service has.
 */
export async function behindLiar(
  ends: (() => Promise<unknown>)[],
  {
    lie = () => undefined,
    env = {},
    urls = (liar) => liar,
  }: { lie?: Lie; env?: Record<string, string>; urls?: (liar: string, node: string) => string } = {},
) {
  const lies = { now: lie }
  const liars: LocalServer[] = []
  const scene = await onAnvil(env, (url) => {
    const liar = lyingNode(url, (question, result) => lies.now(question, result))
    liars.push(liar)
    return urls(liar.url, url)
  })
  const [liar] = liars
  if (!liar) throw new Error('nothing was put before the node')
  ends.push(
    () => scene.node.kill(),
    () => liar.stop(),
    () => scene.service.stop(),
  )
  return { ...scene, liar, lies }
}
