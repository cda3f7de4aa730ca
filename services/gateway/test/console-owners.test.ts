import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer } from '@bursar/testing'
import { openConsole, type TestConsole } from './console-harness'

const [main, portfolio, omnibus, unknown] = [1, 2, 3, 9].map((n) => `01a1fe8f-0000-7000-8000-00000000000${n}`)
const [mill, dairy] = ['c1', 'c2'].map((n) => `01a1fe8f-0000-7000-8000-0000000000${n}`)
const bank = '01a1fe8f-0000-7000-8000-0000000000b1'

let opened: TestConsole
let cookie: string
let account: LocalServer
let customer: LocalServer
let participant: LocalServer

const accountOf = (id: string, name: string, fields: object) => ({
  account: {
    id,
    name,
    customerId: null,
    customerExternalId: null,
    walletAccountId: null,
    accountExternalId: null,
    type: 'STABLECOINS',
    status: 'active',
    customerName: null,
    createdAt: '2026-11-22T06:00:00.000Z',
    ...fields,
  },
  participantId: null,
  epoch: 1,
  version: 1,
})
const accounts = new Map<string | undefined, unknown>([
  [main, accountOf(main ?? '', 'Main', { customerId: mill, customerExternalId: 'mill' })],
  [portfolio, accountOf(portfolio ?? '', 'Portfolio', { customerId: dairy, customerName: 'Alpine Dairy' })],
  [omnibus, { ...accountOf(omnibus ?? '', 'Omnibus', { type: 'OMNIBUS' }), participantId: bank }],
])
const missing = () => Response.json({ error: { code: 'NOT_FOUND', message: 'Nothing' } }, { status: 404 })

async function tellAccounts(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/internal/accounts/states') return missing()
  const { items } = (await request.json()) as { items: string[] }
  return Response.json({ items: items.map((id) => accounts.get(id) ?? null) })
}
function tellCustomers({ url }: Request): Response {
  const id = new URL(url).pathname.split('/').at(-1)
  const state = { id, externalId: 'mill', status: 'active', createdAt: '2026-11-22T06:00:00.000Z' }
  return id === mill ? Response.json({ customer: state, epoch: 1, version: 1 }) : missing()
}
function tellOwners({ url }: Request): Response {
  const { pathname } = new URL(url)
  if (pathname.endsWith('/changes')) return Response.json({ epoch: 1, items: [], more: false })
  if (pathname === `/internal/customer-owners/${mill}`) return Response.json({ customerId: mill, participantId: bank })
  const marked = { omnibusAccountId: null, feePayerAccountId: null, deletedAt: null, epoch: 1, version: 1 }
  return pathname === `/internal/participants/${bank}`
    ? Response.json({ id: bank, institutionName: 'Hillside Bank', ...marked })
    : missing()
}

beforeAll(async () => {
  account = localServer(tellAccounts)
  customer = localServer(tellCustomers)
  participant = localServer(tellOwners)
  opened = await openConsole({ ACCOUNT_URL: account.url, CUSTOMER_URL: customer.url, PARTICIPANT_URL: participant.url })
  cookie = await opened.logIn()
})
beforeEach(() => {
  account.answer(tellAccounts)
  customer.answer(tellCustomers)
  participant.answer(tellOwners)
})
afterAll(async () => {
  await opened?.close()
  await Promise.all([account, customer, participant].map((server) => server?.stop()))
})

const owners = (query: string, as = cookie) => opened.ask(`/owners?${query}`, { cookie: as })

describe('GET /console/api/owners', () => {
  test('accounts with their customer and institution, unknown ones left out', async () => {
    const { status, body } = await owners(`accounts=${[main, portfolio, omnibus, unknown].join(',')}`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: main,
        accountName: 'Main',
        customerId: mill,
        customerName: 'mill',
        participantId: bank,
        institutionName: 'Hillside Bank',
      },
      {
        id: portfolio,
        accountName: 'Portfolio',
        customerId: dairy,
        customerName: 'Alpine Dairy',
        participantId: null,
        institutionName: null,
      },
      {
        id: omnibus,
        accountName: 'Omnibus',
        customerId: null,
        customerName: null,
        participantId: bank,
        institutionName: 'Hillside Bank',
      },
    ])
  })

  test('customers by their external id, with their institution', async () => {
    const { body } = await owners(`customers=${mill}`)
    expect(body).toMatchObject([{ id: mill, customerName: 'mill', institutionName: 'Hillside Bank' }])
  })

  test('a service that is away takes its own names with it, and no others', async () => {
    customer.answer(() => new Response('garbage'))
    account.answer(() => new Response('', { status: 500 }))
    expect((await owners(`accounts=${main}`)).body).toEqual([])
    participant.answer(() => new Response('', { status: 500 }))
    account.answer(tellAccounts)
    const { status, body } = await owners(`accounts=${portfolio}`)
    expect([status, body[0].customerName, body[0].institutionName]).toEqual([200, 'Alpine Dairy', null])
  })

  test('400: no ids, or too many', async () => {
    expect((await owners('accounts=x')).status).toBe(400)
    const many = Array.from({ length: 101 }, () => Bun.randomUUIDv7()).join(',')
    expect((await owners(`accounts=${many}`)).status).toBe(400)
    expect((await owners('')).body).toEqual([])
  })

  test('401 without a session, 403 for an institution’s people', async () => {
    expect((await owners(`accounts=${main}`, '')).status).toBe(401)
    const member = await opened.member({ role: 'participant-admin', participantId: bank })
    expect((await owners(`accounts=${main}`, await opened.logIn(member))).status).toBe(403)
  })
})
