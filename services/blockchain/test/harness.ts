import {
  type ConfirmedMovement,
  DepositConfirmed,
  DepositReversed,
  MovementConfirmed,
  type NewSend,
  SendChanged,
  type SendState,
} from '@bursar/contracts/blockchain'
import type { Envelope } from '@bursar/contracts/event'
import type { Static } from '@bursar/contracts/schema'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir, until } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { BlockchainDeps } from '../src/deps'
import { definition } from '../src/service'
import { type TestWallet, testWallet } from './wallet'

export const refused = refusedAs('object')

/** An address that nobody has used. */
export const fresh = () => `0x${crypto.getRandomValues(new Uint8Array(20)).toHex()}`

/** Customers' and senders' addresses on EVM networks; nobody has their keys. */
export const alice = '0xa11ce00000000000000000000000000000000001'
export const bob = '0xb0b0000000000000000000000000000000000002'
export const hot = '0x4070000000000000000000000000000000000003'
export const accountId = '01a1fe8f-0000-7000-8000-00000000000a'

type Deposit = Static<typeof DepositConfirmed.payload>

export interface TestBlockchain extends TestService<BlockchainDeps> {
  wallet: TestWallet
  internal<Body = Answer['body']>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<Body>>
  watch(address: string, network?: string, fields?: { accountId?: string; isPortfolio?: boolean }): Promise<void>
  /** Pays in on a simulated network. */
  payIn(address: string, amount: string, asset?: string, network?: string): Promise<string>
  send(fields: Partial<NewSend>): Promise<SendState>
  /** Waits until a send has this status. */
  reached(id: string, status: SendState['status'], timeoutMs?: number): Promise<SendState>
  /** Sends, and waits until that is final. */
  paid(fields: Partial<NewSend>): Promise<{ id: string; txHash: string }>
  /** What moves by a transaction that is known to nobody here, on a simulated network. */
  movedBy(from: string, to: string, amount: string, asset?: string): Promise<string>
  deposits(): Promise<Deposit[]>
  movements(): Promise<ConfirmedMovement[]>
  /** All that was published of deposits, oldest first: reversals, too. */
  depositEvents(): Promise<Deposit[]>
  /** The states that were published of a send, oldest first. */
  states(id: string): Promise<string[]>
  /** Stops the workers alone, as a crash would: nothing more is done. */
  halt(): Promise<void>
  stop(): Promise<void>
}

/** The service with its workers, and a wallet service that signs with the test's keys. */
export async function testBlockchain({
  env = {},
  wallet = testWallet(),
  urls = {},
  dataDir = tempDir(),
  workers: wanted = true,
}: {
  env?: Record<string, string>
  wallet?: TestWallet
  urls?: Partial<Record<ServiceName, string>>
  dataDir?: string
  workers?: boolean
} = {}): Promise<TestBlockchain> {
  // A node has a minute, as peers have: a busy machine fails no test.
  const made = definition(config({ NETWORK_POLL_MS: '20', NODE_TIMEOUT_MS: '60000', DATA_DIR: dataDir, ...env }))
  const service = await testService({
    name: 'blockchain',
    definition: made,
    urls: { wallet: wallet.server.url, ...urls },
    dataDir,
    prefix: '/v1',
  })
  const workers = wanted ? (made.workers?.(service.deps) ?? []) : []
  const as = await service.asService('wallet')
  const internal: TestBlockchain['internal'] = (method, path, body) => service.ask(method, `/internal${path}`, body, as)
  const send: TestBlockchain['send'] = async (fields) => {
    const { status, body } = await internal<SendState>('POST', '/sends', newSend(fields))
    if (status > 201) throw new Error(`Sending answered ${status} ${JSON.stringify(body)}`)
    return body
  }
  const reached: TestBlockchain['reached'] = (id, status, timeoutMs) =>
    until(
      async () => {
        const { body } = await internal<SendState>('GET', `/sends/${id}`)
        return body.status === status && body
      },
      { what: `send ${id} to be ${status}`, timeoutMs },
    ) as Promise<SendState>
  const halt = async () => void (await Promise.all(workers.map((worker) => worker.stop())))
  const of = async (name: string) => (await service.events()).filter((event: Envelope) => event.name === name)
  return {
    ...service,
    wallet,
    internal,
    halt,
    async watch(address, network = 'ethereum', fields = {}) {
      const { status, body } = await internal('POST', '/addresses', { network, address, accountId, ...fields })
      if (status !== 200) throw new Error(`Watching answered ${status} ${JSON.stringify(body)}`)
    },
    async payIn(address, amount, asset = 'ETH', network = 'ethereum') {
      return (await service.create(`/simulated/${network}/deposits`, { address, asset, amount })).transactionHash
    },
    send,
    reached,
    async paid(fields) {
      const { id } = await send(fields)
      return { id, txHash: (await reached(id, 'confirmed')).txHash ?? '' }
    },
    movedBy: async (from, to, amount, asset = 'ETH') =>
      (await service.create('/simulated/ethereum/deposits', { address: to, asset, amount, sourceAddress: from }))
        .transactionHash,
    deposits: async () => (await of(DepositConfirmed.name)).map(({ data }) => data as Deposit),
    movements: async () => (await of(MovementConfirmed.name)).map(({ data }) => data as ConfirmedMovement),
    depositEvents: async () =>
      (await service.events())
        .filter(({ name }) => name === DepositConfirmed.name || name === DepositReversed.name)
        .map(({ data }) => data as Deposit),
    states: async (id) =>
      (await of(SendChanged.name)).flatMap(({ data }) =>
        (data as SendState).id === id ? [(data as SendState).status] : [],
      ),
    async stop() {
      await halt()
      await service.close()
      await wallet.server.stop()
    },
  }
}

export const newSend = (fields: Partial<NewSend> = {}): NewSend => ({
  id: Bun.randomUUIDv7(),
  network: 'ethereum',
  from: hot,
  to: bob,
  contractAddress: null,
  amount: '1000000000000000000',
  decimals: 18,
  feePayer: null,
  transactionData: null,
  ...fields,
})
