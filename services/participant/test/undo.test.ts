import { describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { abandon } from '../src/saga-runs/finish'
import { sagas } from '../src/sagas/sagas.table'
import { account, customer, finishSagas, plain, refused } from './harness'
import { peers, service, withPeers } from './peered-service'
import { refusal } from './peers'

withPeers('test')

const isPost = (request: Request, path: string) => request.method === 'POST' && request.url.endsWith(path)
const statusOf = (externalId: string) =>
  [...peers.customers.values()].find((each) => each.externalId === externalId)?.status

describe('a saga that fails', () => {
  test('marks a customer created by a call whose answer was lost', async () => {
    const [lost, taken] = [customer({ externalId: 'lost' }), customer({ externalId: 'taken' })]
    let isFirst = true
    peers.fault((request, usual) => {
      if (!isPost(request, '/v1/customers')) return undefined
      return (request.clone().json() as Promise<{ externalId: string }>).then(async ({ externalId }) => {
        if (externalId === 'taken') return refusal(422)
        const answer = await usual()
        if (!isFirst) return answer
        isFirst = false
        // Not by a short deadline: any other call of the saga might meet it as well.
        return refusal(500)
      })
    })
    const answer = await service.post('/participants', plain({ customers: [lost, taken] }))
    expect(refused(answer, 502).code).toBe('UPSTREAM_ERROR')
    expect([statusOf('lost'), statusOf('taken')]).toEqual(['deleted', undefined])
    // The customer is known here, and belongs to the next participant that names it.
    peers.fault(null)
    const { customers } = await service.create('/participants', plain({ customers: [lost] }))
    expect([customers[0].externalId, customers[0].status, peers.customers.size]).toEqual(['lost', 'active', 1])
  })

  test('marks the created accounts and their customers', async () => {
    const customers = [customer({ accounts: [account(), account({ name: 'Refused' })] }), customer({ accounts: [] })]
    peers.fault((request, usual) => {
      if (!isPost(request, '/v1/accounts')) return undefined
      return (request.clone().json() as Promise<{ name: string }>).then(({ name }) =>
        name === 'Refused' ? refusal(422) : usual(),
      )
    })
    refused(await service.post('/participants', plain({ customers })), 502)
    expect([...peers.accounts.values()].map(({ name, status }) => [name, status])).toEqual([['Main', 'deleted']])
    expect([...peers.customers.values()].map(({ status }) => status)).toEqual(['deleted', 'deleted'])
  })

  test.each([400, 404, 413, 422])(
    'is undone when a peer answers %d, which another attempt would not change',
    async (status) => {
      peers.fault((request) => (isPost(request, '/v1/accounts') ? refusal(status) : undefined))
      refused(await service.post('/participants', plain({ customers: [customer({ accounts: [account()] })] })), 502)
      expect((await service.store.read.select().from(sagas)).map(({ state }) => state)).toEqual(['failed'])
    },
  )

  test.each(['customers', 'accounts'])(
    'ends though a restore of the service of its %s has lost them',
    async (records) => {
      const customers = [customer({ accounts: [account(), account({ name: 'Refused' })] })]
      peers.fault((request, usual) => {
        if (request.method === 'PUT' && request.url.includes(`/v1/${records}/`)) return refusal(404)
        if (!isPost(request, '/v1/accounts')) return undefined
        return (request.clone().json() as Promise<{ name: string }>).then(({ name }) =>
          name === 'Refused' ? refusal(422) : usual(),
        )
      })
      refused(await service.post('/participants', plain({ customers })), 502)
      expect((await service.store.read.select().from(sagas)).map(({ state }) => state)).toEqual(['failed'])
    },
  )

  test('is abandoned once: a late process takes no customer from its next participant', async () => {
    const shared = customer({ externalId: 'shared', accounts: [account()] })
    peers.fault((request) => (isPost(request, '/v1/accounts') ? refusal(422) : undefined))
    refused(await service.post('/participants', plain({ customers: [shared] })), 502)
    peers.fault(null)
    const { id, customers } = await service.create('/participants', plain({ customers: [shared] }))
    const [failed] = await service.store.read.select().from(sagas).where(eq(sagas.state, 'failed'))
    await service.store.commit((tx) => abandon(tx, failed?.id ?? '', [customers[0].id], new Date()))
    expect((await service.get(`/participants/${id}`)).body.customers).toEqual(customers)
  })

  /** A customer that a failed saga has left to nobody, and two participants that may name it. */
  async function left() {
    const shared = customer({ externalId: 'shared', accounts: [account()] })
    peers.fault((request) => (isPost(request, '/v1/accounts') ? refusal(422) : undefined))
    refused(await service.post('/participants', plain({ customers: [shared] })), 502)
    peers.fault(null)
    const [first, second] = [
      await service.create('/participants', plain()),
      await service.create('/participants', plain()),
    ]
    const named = async ({ id }: { id: string }) => (await service.get(`/participants/${id}`)).body.customers
    return { shared, first, second, named }
  }

  test('leaves its customer to the first participant that names it: a slower one changes nothing of it', async () => {
    const { shared, first, second, named } = await left()
    peers.fault((request) => (isPost(request, '/v1/accounts') ? refusal(503) : undefined))
    const late = { customers: [{ ...shared, accounts: [account({ name: 'Late' })] }] }
    refused(await service.patch(`/participants/${second.id}`, late), 503)
    peers.fault(null)
    const { body } = await service.patch(`/participants/${first.id}`, { customers: [shared] })
    expect(body.customers).toMatchObject([{ externalId: 'shared', status: 'active' }])
    const { id } = body.customers[0]
    const own = peers.customers.get(id)
    if (own) peers.customers.set(id, { ...own, status: 'suspended' })
    await finishSagas(service)
    expect([await named(first), await named(second)]).toMatchObject([[{ id }], []])
    expect(peers.customers.get(id)?.status).toBe('suspended')
    expect([...peers.accounts.values()].map(({ name }) => name)).toEqual(['Main'])
  })

  test('leaves it to the first also when both name it at the same time', async () => {
    const { shared, first, second, named } = await left()
    const change = (id: string) => service.patch(`/participants/${id}`, { customers: [shared] })
    let isFirst = true
    peers.fault((request, usual) => {
      if (request.method !== 'PUT' || !isFirst) return undefined
      isFirst = false
      return change(first.id).then(usual)
    })
    expect(refused(await change(second.id), 409).message).toBe('A customer with externalId shared already exists')
    expect([await named(first), await named(second)]).toMatchObject([[{ externalId: 'shared' }], []])
  })

  test('makes no further calls when nothing was created', async () => {
    await fetch(`${peers.url}/v1/customers`, {
      method: 'POST',
      headers: { 'idempotency-key': 'another caller' },
      body: JSON.stringify({ externalId: 'b', status: 'active' }),
    })
    const before = peers.server.requests.length
    const body = plain({ customers: [customer({ externalId: 'a' }), customer({ externalId: 'b' })] })
    refused(await service.post('/participants', body), 409)
    const calls = peers.server.requests.slice(before).map(({ method }) => method)
    expect(new Set(calls)).toEqual(new Set(['GET']))
    expect(calls.length).toBeLessThanOrEqual(2)
  })
})

describe('a change whose new key another participant gets meanwhile', () => {
  test('is 409, and its records are marked deleted', async () => {
    const { id } = await service.create('/participants', plain())
    peers.fault((request) => (isPost(request, '/v1/accounts') ? refusal(503) : undefined))
    const changes = { authConsumerId: 'wanted', customers: [customer({ externalId: 'x', accounts: [account()] })] }
    refused(await service.patch(`/participants/${id}`, changes), 503)
    await service.create('/participants', plain({ authConsumerId: 'wanted' }))
    peers.fault(null)
    expect(refused(await service.patch(`/participants/${id}`, changes), 409)).toEqual({
      code: 'CONFLICT',
      message: 'Another participant has this authConsumerId',
    })
    const { body } = await service.get(`/participants/${id}`)
    expect([body.authConsumerId === 'wanted', body.customers]).toEqual([false, []])
    expect(statusOf('x')).toBe('deleted')
  })
})
