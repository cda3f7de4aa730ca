import { type Client, createMetrics } from '@bursar/http'
import type { Worker } from '@bursar/store'
import { until } from '@bursar/testing'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import { createExecution, type Execution, type ExecutionTuning } from '../src/withdrawals/execution'
import { type FakeWallet, fakeWallet } from './execution-wallet'
import { type Ledger, type NewAccountOptions, openLedger } from './harness'
import { type Owners, testOwners } from './owners'

export const gatewayPath = '/api/v1/core/transactions'
export const destinationAddress = 'destination-1'

export interface Account {
  id: string
  customerId: string
}

export interface RunningLedger {
  ledger: Ledger
  wallet: FakeWallet
  owners: Owners
  /** The worker, which runs. */
  worker: Worker
  execution: Execution
  /** An asset on a network of nobody's, with two decimals. */
  asset: { id: string; code: string; network: string }
  newAsset(fields?: object): Promise<{ id: string; code: string; network: string }>
  /** An account with so much of the asset. */
  funded(amount: string, options?: NewAccountOptions, asset?: { id: string; network: string }): Promise<Account>
  /** A new withdrawal's id. */
  withdraw(account: Account, amount: string, fields?: object): Promise<string>
  transfer(from: Account, to: Account, amount: string, assetId?: string): Promise<string>
  deposit(account: Account, amount: string, asset?: { id: string; network: string }): Promise<string>
  screen(id: string, isApproved: boolean): Promise<void>
  /** In gateway form, with its phases. */
  transaction(id: string): Promise<GatewayTransaction>
  /** Waits until it has this status. */
  reached(id: string, status: GatewayTransaction['status']): Promise<GatewayTransaction>
  balance(account: Account, assetCode?: string): Promise<{ available: string; frozen: string } | null>
  close(): Promise<void>
}

const fast = { firstMs: 2, longestMs: 20 }
/** A stop waits for what is under way, however long a busy machine takes for it. */
const stoppingMs = 60_000
let names = 0

/** A ledger whose worker runs, with a scripted wallet service. */
export async function runLedger(
  options: {
    tuning?: Partial<ExecutionTuning>
    timeoutMs?: number
    quote?: string
    /** Where the wallet service is; the scripted one unless given. */
    walletUrl?: string
    env?: Record<string, string>
  } = {},
): Promise<RunningLedger> {
  const wallet = fakeWallet()
  const owners = testOwners()
  const { tuning, quote, env = {}, timeoutMs, walletUrl = wallet.server.url } = options
  const urls = { wallet: walletUrl, ...(quote === undefined ? {} : { quote }) }
  const ledger = await openLedger({ env, urls, timeoutMs, owners, tuning: { retry: fast, stoppingMs, ...tuning } })
  const { execution } = ledger.deps
  const worker = execution.start()
  const { ask } = ledger

  async function made<T extends object = { id: string }>(path: string, body: object): Promise<T> {
    const answer = await ask<T>('POST', path, body)
    if (answer.status > 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const newAsset = (fields: object = {}) => {
    const number = ++names
    const named = { code: `COIN${number}`, name: `Coin ${number}`, network: 'testnet', address: `contract-${number}` }
    return made<RunningLedger['asset']>('/assets', { ...named, decimalPlaces: 2, ...fields })
  }
  const asset = await newAsset({ address: 'native' })
  const transaction = async (id: string) => (await ask<GatewayTransaction>('GET', `${gatewayPath}/${id}`)).body
  const reached: RunningLedger['reached'] = (id, status) =>
    until(
      async () => {
        const found = await transaction(id)
        return found.status === status && found
      },
      { what: `${id} to be ${status}` },
    ) as Promise<GatewayTransaction>
  const running: RunningLedger = {
    ledger,
    wallet,
    owners,
    worker,
    execution,
    asset,
    newAsset,
    transaction,
    reached,
    async funded(amount, of = {}, paid = asset) {
      const account = await ledger.account(of)
      const id = await running.deposit(account, amount, paid)
      await running.screen(id, true)
      await reached(id, 'COMPLETED')
      return account
    },
    async withdraw({ id: accountId }, amount, fields = {}) {
      const body = { accountId, network: asset.network, assetId: asset.id, amount, destinationAddress, ...fields }
      return (await made('/transactions/withdrawal', body)).id
    },
    async transfer(from, to, amount, assetId = asset.id) {
      return (await made('/transactions/transfer', { fromAccountId: from.id, toAccountId: to.id, assetId, amount })).id
    },
    async deposit({ id: accountId }, amount, { id: assetId, network } = asset) {
      const txHash = `hash-${++names}`
      const body = { accountId, network, assetId, amount, sourceAddress: 'source-1', txHash }
      return (await made('/transactions/deposit', body)).id
    },
    async screen(id, isApproved) {
      await made('/transactions/complete-screening', { id, isApproved })
    },
    async balance({ id }, assetCode = asset.code) {
      const { body } = await ask<{ assetCode: string; availableBalance: string; frozenBalance: string }[]>(
        'GET',
        `/balances/account/${id}`,
      )
      const found = body.find((one) => one.assetCode === assetCode)
      return found ? { available: found.availableBalance, frozen: found.frozenBalance } : null
    },
    async close() {
      // First, so that nobody waits for its answers.
      await wallet.server.stop()
      await worker.stop()
      await owners.stop()
      await ledger.close()
    },
  }
  return running
}

/** Another worker over the same ledger, as after a restart. */
export const restart = (
  { ledger: { deps } }: RunningLedger,
  tuning: Partial<ExecutionTuning> = {},
  client: Client = deps.client,
): Worker =>
  createExecution(
    { ...deps, client, metrics: createMetrics('core-ledger', 'again') },
    { retry: fast, stoppingMs, ...tuning },
  ).start()

/** A phase by its name. */
export const phase = ({ phases }: GatewayTransaction, name: string) => phases.find((one) => one.name === name)
