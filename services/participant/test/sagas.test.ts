import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { account, finishSagas, refused, testParticipants } from './harness'
import { peers, reopen, service, urls, withPeers } from './peered-service'
import { refusal } from './peers'

withPeers('test')

const input = (fields: object = {}) => ({
  institutionName: 'First Bank',
  authConsumerId: 'sk_live_1',
  customers: [
    { externalId: 'a', status: 'active', accounts: [account(), account({ name: 'Second' })] },
    { externalId: 'b', status: 'suspended', accounts: [account()] },
  ],
  ...fields,
})
/** Exactly the requested customers and accounts, each once. */
function expectWhole(body: { customers: { externalId: string; accounts: { name: string }[] }[] }) {
  expect(
    body.customers.map(({ externalId, accounts }) => [externalId, accounts.map(({ name }) => name).sort()]),
  ).toEqual([
    ['a', ['Main', 'Second']],
    ['b', ['Main']],
  ])
  expect([peers.customers.size, peers.accounts.size]).toEqual([2, 3])
}
const idle = () => finishSagas(service)
const restart = async () => {
  await service.close()
  await reopen()
}
const steps = [
  ['checking the external ids', 'GET', '/internal/customers'],
  ['creating customers', 'POST', '/v1/customers'],
  ['creating accounts', 'POST', '/v1/accounts'],
] as const
const isStep = (request: Request, method: string, path: string) =>
  request.method === method && new URL(request.url).pathname.startsWith(path)

describe.each(steps)('a peer that is unreachable while %s', (_what, method, path) => {
  const away = () => peers.fault((request) => (isStep(request, method, path) ? refusal(503) : undefined))

  test('is 503; the participant does not exist yet, and the worker creates it', async () => {
    away()
    expect(refused(await service.post('/participants', input()), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: `The ${path.includes('account') ? 'account' : 'customer'} service refused: said no. It is stored and continues in the background; repeat the request to get its result`,
    })
    expect((await service.get('/participants')).body).toEqual([])
    peers.fault(null)
    await idle()
    const [body] = (await service.get('/participants')).body
    expectWhole(body)
  })

  test('is told in the log once, however often it is tried, and in the health after many times', async () => {
    away()
    const lines: string[] = []
    service.deps.log.warn = (_, message) => void lines.push(message)
    const told = async () => (await service.get('/health')).body.waiting ?? []
    for (let tries = 0; tries < 20; tries++) {
      expect(await told()).toEqual([])
      refused(await service.post('/participants', input()), 503)
    }
    expect(await told()).toEqual([expect.stringContaining('1 institution is not made or changed as asked')])
    peers.fault(null)
    await idle()
    expect(lines).toEqual(['A saga will be retried later'])
    expect(await told()).toEqual([])
  })

  test('a repeated request gets the result, once', async () => {
    away()
    refused(await service.post('/participants', input()), 503)
    refused(await service.post('/participants', input()), 503)
    peers.fault(null)
    const { status, body } = await service.post('/participants', input())
    expect(status).toBe(201)
    expectWhole(body)
    await idle()
    expect((await service.get('/participants')).body).toEqual([body])
    expect(refused(await service.post('/participants', input()), 409).message).toBe(
      'Another participant has this authConsumerId',
    )
  })

  test('a repeated request gets the result that is ready meanwhile', async () => {
    away()
    const headers = { 'idempotency-key': 'again' }
    refused(await service.post('/participants', input(), headers), 503)
    peers.fault(null)
    await idle()
    const { status, body } = await service.post('/participants', input(), headers)
    expect(status).toBe(201)
    expectWhole(body)
    expect((await service.post('/participants', input(), headers)).body).toEqual(body)
  })

  test('another request with the same key is refused meanwhile', async () => {
    away()
    refused(await service.post('/participants', input()), 503)
    expect(refused(await service.post('/participants', input({ institutionName: 'Other' })), 409).code).toBe('CONFLICT')
    expect(refused(await service.post('/participants', input({ customers: [] })), 409).code).toBe('CONFLICT')
    peers.fault(null)
    await idle()
  })

  test('a restart continues where it ended', async () => {
    away()
    refused(await service.post('/participants', input()), 503)
    await restart()
    expect((await service.get('/participants')).body).toEqual([])
    peers.fault(null)
    await idle()
    expectWhole((await service.get('/participants')).body[0])
  })
})

describe.each(steps.slice(1))('an answer that never comes while %s', (_what, method, path) => {
  test('is 504; nothing is created twice', async () => {
    // Carried out, but the answer is lost: as when the connection breaks, or the process dies before it records it.
    peers.fault((request, usual) => {
      if (!isStep(request, method, path)) return undefined
      return usual().then(() => new Promise<Response>(() => {}))
    })
    const post = () => service.post('/participants', input())
    expect(refused(await service.impatiently(post), 504).code).toBe('UPSTREAM_TIMEOUT')
    peers.fault(null)
    const { status, body } = await service.post('/participants', input())
    expect(status).toBe(201)
    expectWhole(body)
  })

  test('and a restart meanwhile: nothing is created twice', async () => {
    peers.fault((request, usual) => {
      if (!isStep(request, method, path)) return undefined
      return usual().then(() => new Promise<Response>(() => {}))
    })
    refused(await service.impatiently(() => service.post('/participants', input())), 504)
    await restart()
    peers.fault(null)
    await idle()
    expectWhole((await service.get('/participants')).body[0])
  })
})

describe('a call that is still running', () => {
  test('when it is repeated is waited for', async () => {
    let first = true
    peers.fault((request, usual) => {
      if (!isStep(request, 'POST', '/v1/customers')) return undefined
      if (!first) return undefined
      first = false
      // The peer has not carried it out yet, and refuses the repeat.
      peers.fault((again) => {
        if (!isStep(again, 'POST', '/v1/customers')) return undefined
        peers.fault(null)
        return refusal(409)
      })
      return usual().then(() => refusal(500))
    })
    refused(await service.post('/participants', input()), 502)
    await idle()
    expectWhole((await service.get('/participants')).body[0])
  })

  test('of a long saga is answered before the connection times out', async () => {
    const slow = await testParticipants(urls(), { tuning: { waitMs: 30 } })
    const { promise, resolve } = Promise.withResolvers<void>()
    peers.fault((request, usual) => (isStep(request, 'POST', '/v1/accounts') ? promise.then(() => usual()) : undefined))
    expect(refused(await slow.post('/participants', input()), 504).message).toBe(
      'This takes long. It is stored and continues in the background; repeat the request to get its result',
    )
    resolve()
    const { body } = await until(async () => {
      const answer = await slow.post('/participants', input())
      return answer.status === 201 && answer
    })
    expectWhole(body)
    await slow.close()
  })
})

describe('a customer that another caller creates after the check', () => {
  /** The other caller comes first: a `b` exists before any customer of the saga is created. */
  const overtake = (marking?: () => Response) => {
    let overtaken: Promise<unknown> | undefined
    peers.fault((request, usual) => {
      if (marking && request.method === 'PUT') return marking()
      const isOurs = request.headers.get('idempotency-key') !== 'another caller'
      if (!isOurs || !isStep(request, 'POST', '/v1/customers')) return undefined
      overtaken ??= fetch(`${peers.url}/v1/customers`, {
        method: 'POST',
        headers: { 'idempotency-key': 'another caller' },
        body: JSON.stringify({ externalId: 'b', status: 'active' }),
      })
      return overtaken.then(() => usual())
    })
  }
  const byExternalId = (externalId: string) =>
    [...peers.customers.values()].find((customer) => customer.externalId === externalId)

  test('is 409; the created records are marked deleted, and the key is free', async () => {
    overtake()
    expect(refused(await service.post('/participants', input()), 409)).toEqual({
      code: 'CONFLICT',
      message: 'A customer with externalId b already exists',
    })
    await idle()
    expect([byExternalId('a')?.status, byExternalId('b')?.status]).toEqual(['deleted', 'active'])
    expect((await service.get('/participants')).body).toEqual([])
    expect((await service.post('/participants', input({ customers: [] }))).status).toBe(201)
  })

  test('a marked customer goes to the next request that names it', async () => {
    overtake()
    refused(await service.post('/participants', input()), 409)
    await idle()
    const [a] = input().customers
    const { status, body } = await service.post('/participants', input({ customers: [a] }))
    expect(status).toBe(201)
    expect(body.customers).toMatchObject([{ externalId: 'a', status: 'active', id: byExternalId('a')?.id }])
    expect(byExternalId('a')?.status).toBe('active')
    expect(body.customers[0].accounts.map(({ status }: { status: string }) => status)).toEqual(['active', 'active'])
  })

  test('is 409 at once, although the marking has to wait', async () => {
    overtake(() => refusal(503))
    expect(refused(await service.post('/participants', input()), 409).code).toBe('CONFLICT')
    expect(refused(await service.post('/participants', input()), 409).message).toBe(
      'A customer with externalId b already exists',
    )
    await restart()
    expect(byExternalId('a')?.status).toBe('active')
    peers.fault(null)
    await idle()
    expect(byExternalId('a')?.status).toBe('deleted')
  })
})

describe('a permanently refused step', () => {
  test('is 502; the created records are marked deleted', async () => {
    peers.fault((request) => (isStep(request, 'POST', '/v1/accounts') ? refusal(422) : undefined))
    expect(refused(await service.post('/participants', input()), 502)).toEqual({
      code: 'UPSTREAM_ERROR',
      message: 'The account service refused: said no',
    })
    peers.fault(null)
    await idle()
    expect([...peers.customers.values()].map(({ status }) => status)).toEqual(['deleted', 'deleted'])
  })
})

describe('a change', () => {
  const [a, b] = input().customers
  const c = { externalId: 'c', status: 'active', accounts: [account()] }

  test('that is interrupted changes nothing yet, and its saga continues in the background', async () => {
    const { body: before } = await service.post('/participants', input())
    peers.fault((request) => (isStep(request, 'POST', '/v1/accounts') ? refusal(503) : undefined))
    const changes = { institutionName: 'Second Bank', customers: [a, b, c] }
    refused(await service.patch(`/participants/${before.id}`, changes), 503)
    expect((await service.get(`/participants/${before.id}`)).body).toEqual(before)
    expect(refused(await service.patch(`/participants/${before.id}`, { institutionName: 'Third' }), 409)).toEqual({
      code: 'CONFLICT',
      message: 'The participant is just being changed by another request; repeat yours in a moment',
    })
    expect(refused(await service.del(`/participants/${before.id}`), 409).code).toBe('CONFLICT')
    await restart()
    peers.fault(null)
    const { status, body } = await service.patch(`/participants/${before.id}`, changes)
    expect([status, body.institutionName]).toEqual([200, 'Second Bank'])
    expect(body.customers).toMatchObject([a, b, c])
    await idle()
    expect([peers.customers.size, peers.accounts.size]).toEqual([3, 4])
  })

  test('that fails changes nothing', async () => {
    const { body: before } = await service.post('/participants', input())
    await service.post('/participants', input({ authConsumerId: 'other', customers: [c] }))
    const changes = { institutionName: 'Second Bank', customers: [a, b, c] }
    expect(refused(await service.patch(`/participants/${before.id}`, changes), 409).message).toBe(
      'A customer with externalId c already exists',
    )
    expect((await service.get(`/participants/${before.id}`)).body).toEqual(before)
  })
})
