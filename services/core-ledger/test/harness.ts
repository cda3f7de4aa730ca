import type { Account } from '@bursar/contracts/account'
import type { Customer } from '@bursar/contracts/customer'
import type { ServiceName } from '@bursar/contracts/services'
import type { Worker } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { type TestService, testService } from '@bursar/testing/service'
import { upsertAccount, upsertCustomer, upsertOwner } from '../src/accounts/accounts'
import { config } from '../src/config'
import type { LedgerDeps } from '../src/deps'
import { definition, type LedgerTuning } from '../src/service'
import { newAccount, newCustomer, type Owners } from './owners'

export interface NewAccountOptions extends Partial<Account> {
  customerStatus?: Customer['status']
  /** Whose it is: by its customer, or by itself where it has none. */
  participantId?: string
}

export interface Ledger extends TestService<LedgerDeps> {
  /** Makes an account (and its customer) known, as their events would. */
  account(options?: NewAccountOptions): Promise<{ id: string; customerId: string }>
  /** Starts all its workers. */
  startWorkers(): readonly Worker[]
}

export interface LedgerOptions {
  env?: Record<string, string>
  /** Where its peers answer; those that are not named cannot be reached. */
  urls?: Partial<Record<ServiceName, string>>
  /** How long a peer may take. */
  timeoutMs?: number
  tuning?: Partial<LedgerTuning>
  /** Know the accounts that are made, and answer for them. */
  owners?: Owners
  /** Where its database is; a folder of its own unless given. */
  dataDir?: string
}

/** As long as other services are waited for here: a busy machine may stand still for longer than the three seconds of production. */
const ratePatienceMs = 60_000

/** The service without a server and a bus. Paths are written whole: with a prefix or without. */
export async function openLedger(options: LedgerOptions = {}): Promise<Ledger> {
  const { env, urls, timeoutMs, tuning, owners, dataDir = tempDir() } = options
  const ownerUrls = owners && { account: owners.server.url, customer: owners.server.url }
  const made = definition(config({ DATA_DIR: dataDir, ...env }), { ratePatienceMs, ...tuning })
  const service = await testService({
    name: 'core-ledger',
    definition: made,
    prefix: '',
    dataDir,
    urls: { ...ownerUrls, ...urls },
    peerTimeoutMs: timeoutMs,
  })
  return {
    ...service,
    account: (of = {}) => addAccount(service, of, owners),
    startWorkers: () => made.workers?.(service.deps) ?? [],
  }
}

async function addAccount(
  { store }: TestService<LedgerDeps>,
  { customerStatus = 'active', participantId, ...given }: NewAccountOptions,
  owners: Owners | undefined,
): Promise<{ id: string; customerId: string }> {
  const account = newAccount({ customerId: Bun.randomUUIDv7(), ...given })
  const mark = { epoch: 1, version: 1 }
  await store.commit(async (tx) => {
    const own = account.customerId === null ? participantId : undefined
    await upsertAccount(tx, owners?.putAccount(account, own) ?? { account, participantId: own ?? null, ...mark })
    if (account.customerId === null) return
    if (participantId !== undefined) await upsertOwner(tx, { customerId: account.customerId, participantId, ...mark })
    const customer = newCustomer({ id: account.customerId, status: customerStatus })
    await upsertCustomer(tx, owners?.putCustomer(customer) ?? { customer, ...mark })
  })
  return { id: account.id, customerId: account.customerId ?? '' }
}
