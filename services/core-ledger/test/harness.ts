import type { Account } from '@bursar/contracts/account'
import { type ServiceName, services } from '@bursar/contracts/services'
import { createClient } from '@bursar/http'
import { tempDir } from '@bursar/testing'
import { type TestService, testService } from '@bursar/testing/service'
import { upsertAccount, upsertCustomer } from '../src/accounts/accounts'
import { config } from '../src/config'
import type { LedgerDeps } from '../src/deps'
import { definition } from '../src/service'
import { newAccount, newCustomer } from './owners'

export interface NewAccountOptions extends Partial<Account> {
  customerStatus?: 'active' | 'suspended'
}

export interface Ledger extends TestService<LedgerDeps> {
  /** Makes an account (and its customer) known, as their events would. */
  account(options?: NewAccountOptions): Promise<{ id: string; customerId: string }>
}

export interface LedgerOptions {
  env?: Record<string, string>
  /** Where its peers answer; those that are not named cannot be reached. */
  urls?: Partial<Record<ServiceName, string>>
  /** How long a peer may take. */
  timeoutMs?: number
  now?: () => Date
}

/** The service without a server and a bus. Paths are written whole: with a prefix or without. */
export async function openLedger({ env, urls, timeoutMs = 300, now }: LedgerOptions = {}): Promise<Ledger> {
  const dataDir = tempDir()
  const service = await testService({
    name: 'core-ledger',
    definition: definition(config({ DATA_DIR: dataDir, ...env }), now),
    prefix: '',
    dataDir,
    client: ({ identity }) => createClient({ name: 'core-ledger', identity, urls: { ...nowhere, ...urls }, timeoutMs }),
  })
  return { ...service, account: (of = {}) => addAccount(service, of) }
}

/** The discard port of this machine, where nothing answers. */
const nowhere = Object.fromEntries(Object.keys(services).map((name) => [name, 'http://127.0.0.1:9'])) as Record<
  ServiceName,
  string
>

async function addAccount(
  { store }: TestService<LedgerDeps>,
  { customerStatus = 'active', ...given }: NewAccountOptions,
): Promise<{ id: string; customerId: string }> {
  const account = newAccount({ customerId: Bun.randomUUIDv7(), ...given })
  const mark = { epoch: 1, version: 1 }
  await store.commit(async (tx) => {
    await upsertAccount(tx, { account, participantId: null, ...mark })
    if (account.customerId === null) return
    const customer = newCustomer({ id: account.customerId, status: customerStatus })
    await upsertCustomer(tx, { customer, ...mark })
  })
  return { id: account.id, customerId: account.customerId ?? '' }
}
