import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { tempDir } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type Config, config } from '../src/config'
import type { WalletDeps } from '../src/deps'
import { hasSeedFile, newSeed, seedFileName } from '../src/keys/seed-file'
import { drivingOrders } from '../src/orders/driving'
import { definition } from '../src/service'
import { book } from './ledger-peer'
import type { Peers } from './peers'

export { nobody } from '@bursar/testing/service'

export const passphrase = 'correct horse battery staple'
/** The mnemonic of everybody's development chains: its first addresses are well known. */
export const mnemonic = 'test test test test test test test test test test test junk'
/** Its first addresses, as every wallet program shows them. */
export const hot = {
  evm: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  solana: 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96',
}
/** A cheap scrypt: what it guards here is no secret. */
export const cheap = { cost: 2 ** 4, now: new Date() }
/** The text of the file with the known seed, made once. */
let seed: Promise<string> | undefined

export interface TestWallets extends TestService<WalletDeps> {
  dataDir: string
  /** Headers of the core ledger. */
  ledger: Record<string, string>
  /** Headers of `bun run wallet:held`. */
  operator: Record<string, string>
  /** Headers of the blockchain service. */
  chain: Record<string, string>
  /** The wallet of an account, made where there is none. */
  wallet(accountId: string, network: string): Promise<{ walletId: string; address: string }>
  /** Carries out what is due at this moment; so many milliseconds from now. The clock stands: nothing rescheduled is due again. */
  drive(aheadMs?: number): Promise<void>
  /** All events of a name, in order. */
  eventsNamed(name: string): Promise<Envelope[]>
}

interface Options {
  dataDir?: string
  log?: Log
  settings?: Partial<Config>
}

/** The real app with a known seed. Its peers are stood in for; with the `dataDir` of one that was closed it starts again. */
export async function testWallets(
  peers: Peers,
  { dataDir = tempDir(), log, settings }: Options = {},
): Promise<TestWallets> {
  seed ??= newSeed(passphrase, { ...cheap, entropy: mnemonicToEntropy(mnemonic, wordlist) })
  if (!hasSeedFile(dataDir)) writeFileSync(join(dataDir, seedFileName), await seed, { mode: 0o600 })
  const made = definition({ ...config({ DATA_DIR: dataDir }), passphrase, ...settings })
  const names: ServiceName[] = ['account', 'blockchain', 'participant', 'core-ledger']
  const service = await testService({
    name: 'wallet',
    definition: { ...made, deps: (common) => made.deps(log ? { ...common, log } : common) },
    urls: Object.fromEntries(names.map((name) => [name, peers.url])),
    dataDir,
  })
  const [ledger, chain, operator] = await Promise.all(
    (['core-ledger', 'blockchain', 'wallet'] as const).map((name) => service.asService(name)),
  )
  return {
    ...service,
    async post(path, body, headers) {
      if (path === '/internal/withdrawals') book(peers.ledger, body as WalletWithdrawal)
      if (path === '/internal/withdrawals/batch') {
        for (const item of (body as { items: WalletWithdrawal[] }).items) book(peers.ledger, item)
      }
      return await service.post(path, body, headers)
    },
    dataDir,
    ledger: ledger ?? {},
    chain: chain ?? {},
    operator: operator ?? {},
    async wallet(accountId, network) {
      return expectStatus(await service.get(walletPath(accountId, network, create)), 200)
    },
    async drive(aheadMs = 0) {
      const at = new Date(Date.now() + aheadMs)
      const worker = drivingOrders({ ...service.deps, clock: () => at })
      await worker.runDue()
      await worker.stop()
    },
    eventsNamed: async (name) => (await service.events()).filter((each) => each.name === name),
  }
}

/** Where the wallet of an account on a network is; with `create` it is made where there is none. */
export const walletPath = (accountId: string, network: string, create = '') =>
  `/wallets/account/${accountId}/network/${network}${create}`
export const create = '?createIfNotExists=true'

/** The body of an answer with this status; throws with what came when it is another. */
export function expectStatus<T>({ status, body }: Answer<T>, wanted: number): T {
  if (status === wanted) return body
  throw new Error(`Expected ${wanted}, got ${status} ${JSON.stringify(body)}`)
}

/** The error of a response; checks the rest of its body (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** What a UUID in a path that is none is answered with. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }

export const accountState = (account: Account, version = 1, participantId: string | null = null) => ({
  account,
  participantId,
  epoch: 1,
  version,
})

/** An event as the bus delivers it. */
export const delivered = (name: string, data: unknown): Envelope => ({
  id: Bun.randomUUIDv7(),
  name,
  type: name,
  timestamp: new Date().toISOString(),
  requestId: null,
  service: 'test',
  data,
})
