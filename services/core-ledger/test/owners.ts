import type { Account, AccountState } from '@bursar/contracts/account'
import type { Customer, CustomerState } from '@bursar/contracts/customer'
import { answerBatch, type Handler, type LocalServer, localServer } from '@bursar/testing'

const createdAt = '2026-01-01T00:00:00.000Z'

export const newAccount = (fields: Partial<Account> = {}): Account => ({
  id: Bun.randomUUIDv7(),
  customerId: null,
  customerExternalId: null,
  walletAccountId: null,
  accountExternalId: null,
  type: 'STABLECOINS',
  status: 'active',
  name: 'An account',
  customerName: null,
  createdAt,
  ...fields,
})

export const newCustomer = (fields: Partial<Customer> = {}): Customer => ({
  id: Bun.randomUUIDv7(),
  externalId: 'x',
  status: 'active',
  createdAt,
  ...fields,
})

/** The account and the customer service, as far as the ledger calls them. */
export interface Owners {
  server: LocalServer
  epoch: number
  /** Stores a record, or its new state, and gives it with its mark. */
  putAccount(account: Account, participantId?: string): AccountState
  putCustomer(customer: Customer): CustomerState
  /** Forgets a record, as an owner restored from an older backup does. */
  forget(id: string): void
  stop(): Promise<void>
}

export function testOwners(): Owners {
  const accounts = new Map<string, AccountState>()
  const customers = new Map<string, CustomerState>()
  let version = 0
  const respond = (path: string, after: number): unknown => {
    const [, , kind, id = ''] = path.split('/')
    const states: Map<string, { version: number }> = kind === 'accounts' ? accounts : customers
    if (id !== 'changes') return states.get(id)
    const rows = [...states.values()].filter((state) => state.version > after).sort((a, b) => a.version - b.version)
    const items = rows.map((state) => ({
      version: state.version,
      record: 'customer' in state ? state.customer : state,
    }))
    return { epoch: owners.epoch, items: items.slice(0, 2), more: items.length > 2 }
  }
  const answer: Handler = async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.endsWith('/states')) {
      return await answerBatch(request, (id) => ({ method: 'GET', path: pathname.replace('states', `${id}`) }), answer)
    }
    const body = respond(pathname, Number(searchParams.get('after')))
    if (body) return Response.json(body)
    return Response.json({ error: { code: 'NOT_FOUND', message: 'not found' } }, { status: 404 })
  }
  const server = localServer(answer)
  const owners: Owners = {
    server,
    epoch: 1,
    putAccount(account, participantId) {
      const own = participantId ?? accounts.get(account.id)?.participantId ?? null
      const state = { account, participantId: own, epoch: owners.epoch, version: ++version }
      accounts.set(account.id, state)
      return state
    },
    putCustomer(customer) {
      const state = { customer, epoch: owners.epoch, version: ++version }
      customers.set(customer.id, state)
      return state
    },
    forget(id) {
      accounts.delete(id)
      customers.delete(id)
    },
    stop: () => server.stop(),
  }
  return owners
}
