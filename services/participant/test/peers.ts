import type { Account, NewAccount } from '@bursar/contracts/account'
import type { Customer, NewCustomer } from '@bursar/contracts/customer'
import { type LocalServer, localServer } from '@bursar/testing'

/** A peer's answer to a request; undefined for the default one. */
type Fault = (request: Request, usual: () => Promise<Response>) => Response | Promise<Response> | undefined

/** A stand-in for the customer and the account service by their contracts, both on one server. */
export interface Peers {
  url: string
  server: LocalServer
  customers: Map<string, Customer>
  accounts: Map<string, Account>
  /** Addresses by account, for `filter[address]`. */
  addresses: Map<string, string>
  /** Overrides the default answers; null ends it. */
  fault(fault: Fault | null): void
  /** The number of requests of a method to paths with this prefix. */
  calls(method: string, path: string): number
}

/** The epoch of both owners. */
export const epoch = 1

export function startPeers(): Peers {
  const customers = new Map<string, Customer>()
  const accounts = new Map<string, Account>()
  const addresses = new Map<string, string>()
  const remembered = new Map<string, object>()
  const versions = new Map<string, number>()
  let fault: Fault | null = null

  /** Both services replay an answer under its idempotency key. */
  function once(request: Request, make: () => object): Response {
    const key = `${new URL(request.url).pathname} ${request.headers.get('idempotency-key')}`
    const known = remembered.get(key)
    if (!known) remembered.set(key, make())
    return Response.json(remembered.get(key), { status: 201 })
  }

  async function createCustomer(request: Request): Promise<Response> {
    const { externalId, status } = (await request.json()) as NewCustomer
    const isKnown = remembered.has(`/v1/customers ${request.headers.get('idempotency-key')}`)
    if (!isKnown && [...customers.values()].some((each) => each.externalId === externalId)) return refusal(409)
    return once(request, () => stored(customers, { externalId, status }))
  }

  async function createAccount(request: Request): Promise<Response> {
    const { customerId = null, type, status, name } = (await request.json()) as NewAccount
    const customerExternalId = customers.get(customerId ?? '')?.externalId ?? null
    if (customerExternalId === null) return refusal(404)
    const rest = { walletAccountId: null, accountExternalId: null, customerName: null }
    return once(request, () => stored(accounts, { ...rest, customerId, customerExternalId, type, status, name }))
  }

  async function change<R extends { status: string }>(request: Request, records: Map<string, R>, id: string) {
    const { status } = (await request.json()) as { status: string }
    const record = records.get(id)
    if (!record) return refusal(404)
    records.set(id, { ...record, status })
    versions.set(id, versionOf(id) + 1)
    return Response.json(records.get(id))
  }

  /** The state of a record, with its mark. */
  function stateOf(resource: string, id: string): Response {
    const mark = { epoch, version: versionOf(id) }
    const [customer, account] = [customers.get(id), accounts.get(id)]
    if (resource === 'customers') return customer ? Response.json({ customer, ...mark }) : refusal(404)
    return account ? Response.json({ account, participantId: null, ...mark }) : refusal(404)
  }
  const versionOf = (id: string) => versions.get(id) ?? 1

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, , resource = '', ...rest] = pathname.split('/')
    const id = decodeURIComponent(rest.at(-1) ?? '')
    if (request.method === 'POST') return resource === 'customers' ? createCustomer(request) : createAccount(request)
    if (request.method === 'PUT') {
      return resource === 'customers' ? change(request, customers, id) : change(request, accounts, id)
    }
    if (pathname === '/internal/customers/by-external-id') {
      const customer = [...customers.values()].find((each) => each.externalId === searchParams.get('externalId'))
      return customer ? stateOf('customers', customer.id) : refusal(404)
    }
    if (pathname.startsWith('/internal/')) return stateOf(resource, id)
    if (pathname !== '/v1/accounts') return refusal(404)
    const address = searchParams.get('filter[address]')
    return Response.json([...accounts.values()].filter((each) => `eq:${addresses.get(each.id)}` === address))
  }

  const server = localServer(async (request) => (await fault?.(request, () => answer(request))) ?? answer(request))
  return {
    url: server.url,
    server,
    customers,
    accounts,
    addresses,
    fault: (next) => {
      fault = next
    },
    calls: (method, path) =>
      server.requests.filter((each) => each.method === method && each.path.startsWith(path)).length,
  }
}

/** An error in the shape of these services. */
export const refusal = (status: number) => Response.json({ error: { code: 'X', message: 'said no' } }, { status })

function stored<R extends { id: string }>(records: Map<string, R>, fields: Omit<R, 'id' | 'createdAt'>): R {
  const record = { id: Bun.randomUUIDv7(), ...fields, createdAt: new Date().toISOString() } as unknown as R
  records.set(record.id, record)
  return record
}
