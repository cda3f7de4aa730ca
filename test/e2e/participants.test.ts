// The participant, account and customer services as they run: three real ones on ports of their own, a real Redis between
// them, and each of them away at some time.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import type { Answer } from '@bursar/testing/service'

type Name = 'customer' | 'account' | 'participant'

let platform: TestPlatform
let wallet: LocalServer

beforeAll(async () => {
  // Each account has one address, which is made of its id.
  wallet = localServer(({ url }) => Response.json([url.split('/').at(-2)]))
  platform = await testPlatform(['customer', 'account', 'participant'], { WALLET_URL: wallet.url })
})
afterAll(async () => {
  await platform.close()
  await wallet.stop()
})

const start = (name: Name) => platform.start(name)
const stop = (name: Name) => platform.stop(name)
const ask = (name: Name, method: string, path: string, body?: object, headers = {}) =>
  platform.to(name).ask(method, path, body, headers)

let made = 0
/** A participant with two customers and three accounts, different from all others. */
function newParticipant() {
  const n = ++made
  const nested = (name: string) => ({ type: 'STABLECOINS', status: 'active', name })
  return {
    institutionName: `Bank ${n}`,
    authConsumerId: `sk_test_${n}`,
    customers: [
      { externalId: `a-${n}`, status: 'active', accounts: [nested('First'), nested('Second')] },
      { externalId: `b-${n}`, status: 'inactive', accounts: [nested('Third')] },
    ],
  }
}
const create = async (input = newParticipant()) => {
  const { status, body } = await ask('participant', 'POST', '/participants', input)
  expect([status, body.error]).toEqual([201, undefined])
  return body
}
const read = async (id: string) => (await ask('participant', 'GET', `/participants/${id}`)).body
const findByName = async (name: string) =>
  (await ask('participant', 'GET', `/participants?${new URLSearchParams({ institutionName: name })}`)).body[0]

/** What was asked for stands in the participant, and once in the two other services. */
async function expectWhole(input: ReturnType<typeof newParticipant>, body: Answer['body']) {
  expect(body.customers).toMatchObject(input.customers)
  const { body: customers } = await ask('customer', 'GET', '/customers')
  const { body: accounts } = await ask('account', 'GET', '/accounts')
  for (const [i, { externalId, accounts: nested }] of input.customers.entries()) {
    const own = customers.filter((each: { externalId: string }) => each.externalId === externalId)
    expect(own.map(({ id }: { id: string }) => id)).toEqual([body.customers[i].id])
    const held = accounts.filter((each: { customerId: string }) => each.customerId === own[0].id)
    expect(held).toMatchObject(nested)
    expect(held).toEqual(body.customers[i].accounts)
  }
}

describe('a participant', () => {
  test('is made with its customers and accounts, in their own services', async () => {
    const input = newParticipant()
    const body = await create(input)
    await expectWhole(input, body)
    expect(await read(body.id)).toEqual(body)
  })

  test('shows what becomes of its customers and accounts elsewhere', async () => {
    const { id, customers } = await create()
    const [first, second] = customers
    await ask('customer', 'PUT', `/customers/${first.id}`, { status: 'suspended' })
    await ask('account', 'PUT', `/accounts/${second.accounts[0].id}`, { status: 'deleted' })
    const { body: added } = await ask('account', 'POST', '/accounts', {
      type: 'PORTFOLIO',
      status: 'active',
      name: 'Added',
      customerExternalId: first.externalId,
    })
    const body = await until(
      async () => {
        const now = await read(id)
        const isThere =
          now.customers[0].status === 'suspended' &&
          now.customers[0].accounts.length === 3 &&
          now.customers[1].accounts[0].status === 'deleted'
        return isThere && now
      },
      { what: 'the copies to follow' },
    )
    expect(body.customers[0].accounts[2]).toEqual(added)
  })

  test('gets its omnibus and fee-payer account by its API key', async () => {
    const { id, authConsumerId } = await create()
    const key = { 'x-api-key': authConsumerId }
    const omnibus = await ask('account', 'GET', '/accounts/omnibus', undefined, key)
    const feePayer = await ask('account', 'GET', '/accounts/fee-payer', undefined, key)
    expect([omnibus.body.type, feePayer.body.type]).toEqual(['OMNIBUS', 'FEE_PAYER'])
    const body = await until(
      async () => {
        const now = await read(id)
        return now.omnibusAccountId && now.feePayerAccountId && now
      },
      { what: 'the participant to know its accounts' },
    )
    expect([body.omnibusAccountId, body.feePayerAccountId]).toEqual([omnibus.body.id, feePayer.body.id])
    const other = await ask('account', 'GET', '/accounts/omnibus', undefined, { 'x-api-key': 'another' })
    expect([other.status, other.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('is found by an address of its account; so is its customer’s list of addresses', async () => {
    const { customers } = await create()
    const [{ id, accounts }] = customers
    const addresses = await until(
      async () => {
        const { body } = await ask('customer', 'GET', `/customers/${id}/accounts/addresses`)
        return body.length === 2 && body
      },
      { what: 'the customer service to know the accounts' },
    )
    const { body: of } = await ask('account', 'GET', `/accounts/${accounts[1].id}/addresses`)
    expect([of, addresses[1]]).toEqual([[accounts[1].id], accounts[1].id])
    const { body: found } = await ask('participant', 'GET', `/participants?address=${addresses[1]}`)
    expect(found).toMatchObject([{ customers }])
  })

  test('is not made when an externalId is taken, and neither is anything else', async () => {
    const { customers } = await create()
    const input = newParticipant()
    const [own] = input.customers
    const taken = { externalId: customers[0].externalId, status: 'active', accounts: [] }
    const { status, body } = await ask('participant', 'POST', '/participants', {
      ...input,
      customers: [own, taken],
    })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    await expectWhole(input, await create(input))
  })
})

describe.each(['customer', 'account'] as const)('with the %s service away', (away) => {
  test('a participant and a change are 503, and are whole by themselves when it is back', async () => {
    const { id } = await create()
    const [input, changes] = [newParticipant(), newParticipant()]
    await stop(away)
    expect((await ask('participant', 'PATCH', `/participants/${id}`, changes)).status).toBe(503)
    expect((await read(id)).institutionName).not.toBe(changes.institutionName)
    const { status, body } = await ask('participant', 'POST', '/participants', input)
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(await findByName(input.institutionName)).toBeUndefined()
    await start(away)
    const made = await until(() => findByName(input.institutionName), { what: 'the participant' })
    await expectWhole(input, made)
    expect((await ask('participant', 'POST', '/participants', input)).body).toEqual(made)
    const changed = await until(() => findByName(changes.institutionName), { what: 'the change' })
    expect(changed.id).toBe(id)
    await expectWhole(changes, changed)
  })

  test('the same request gets it when it is back, also after a restart of the participant service', async () => {
    const input = newParticipant()
    await stop(away)
    expect((await ask('participant', 'POST', '/participants', input)).status).toBe(503)
    await stop('participant')
    await start('participant')
    expect((await ask('participant', 'POST', '/participants', input)).status).toBe(503)
    await start(away)
    const made = await until(
      async () => {
        const answer = await ask('participant', 'POST', '/participants', input)
        return answer.status === 201 && answer.body
      },
      { what: 'the same request to be answered' },
    )
    await expectWhole(input, made)
  })
})

describe('a service that was away', () => {
  test('catches up: the participant service', async () => {
    const { id, customers } = await create()
    const [{ id: customerId, accounts }] = customers
    await stop('participant')
    for (const status of ['inactive', 'deleted', 'suspended']) {
      await ask('customer', 'PUT', `/customers/${customerId}`, { status })
      await ask('account', 'PUT', `/accounts/${accounts[0].id}`, { status })
    }
    await start('participant')
    await until(
      async () => {
        const [shown] = (await read(id)).customers
        return shown.status === 'suspended' && shown.accounts[0].status === 'suspended'
      },
      { what: 'the participant to show the last status' },
    )
  })

  test('catches up: the account service knows customers that came meanwhile, without asking', async () => {
    await stop('account')
    const externalId = `meanwhile-${++made}`
    const { body } = await ask('customer', 'POST', '/customers', { externalId, status: 'active' })
    await start('account')
    await stop('customer')
    const input = { type: 'STABLECOINS', status: 'active', name: 'Meanwhile', customerId: body.id }
    const { body: account } = await until(
      async () => {
        const answer = await ask('account', 'POST', '/accounts', input)
        return answer.status === 201 && answer
      },
      { what: 'the account service to know the customer' },
    )
    expect(account.customerExternalId).toBe(externalId)
    const unknown = await ask('account', 'POST', '/accounts', { ...input, customerId: Bun.randomUUIDv7() })
    expect([unknown.status, unknown.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    await start('customer')
    // And the customer service hears of the account that was made while it was away.
    await until(
      async () => (await ask('customer', 'GET', `/customers/${body.id}/accounts/addresses`)).body.length === 1,
      { what: 'the customer service to know the account' },
    )
  })

  test('catches up: Redis; nothing is refused meanwhile', async () => {
    await platform.redis.kill()
    const input = newParticipant()
    const { id, customers } = await create(input)
    await ask('customer', 'PUT', `/customers/${customers[0].id}`, { status: 'suspended' })
    await platform.redis.restart()
    await until(async () => (await read(id)).customers[0].status === 'suspended', {
      what: 'the events to arrive',
    })
  })
})
