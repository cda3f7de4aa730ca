// AUTHORIZATION=roles on the platform as it runs: every operation of every OpenAPI document, sent through the gateway by a
// participant to whom nothing of the seeded data belongs, by the one to whom it does, and by nobody.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { exampleAddress, exampleApiKey, exampleToken } from '@bursar/contracts/examples'
import type { TestPlatform } from '@bursar/testing/platform'
import type { SeededIds } from '../../scripts/seed/seed'
import { findRule } from '../../services/gateway/src/access/find-rule'
import { needsOf } from '../../services/gateway/src/credentials/needs'
import { type Asked, type ThroughGateway, throughGateway } from './through-gateway'

setDefaultTimeout(180_000)

const strangersKey = 'sk_test_stranger'
let whole: ThroughGateway
let ids: SeededIds
let asked: Asked[]
/** Headers of a user with its participant's key. */
let owner: Record<string, string>
let stranger: Record<string, string>

beforeAll(async () => {
  whole = await throughGateway({ AUTHORIZATION: 'roles' })
  const { platform } = whole
  ids = whole.ids
  Object.assign(ids, await holdingsOf(platform, ids.participant ?? ''))
  const made = { institutionName: 'Stranger', authConsumerId: strangersKey, customers: [] }
  const other = await platform.to('participant').create<{ id: string }>('/participants', made)
  await platform.settle(60_000)
  const signIn = async (participantId: string, key: string) => ({
    authorization: await whole.bearer({ roles: ['participant-admin'], participantId }),
    'x-api-key': key,
  })
  owner = await signIn(ids.participant ?? '', exampleApiKey)
  stranger = await signIn(other.id, strangersKey)
  // Where there is no example the id of the participant is sent: nothing of it may be found by that.
  asked = (await whole.operations()).map((each) => ({
    ...each,
    path: each.path.replace(/\{\w+\}/g, ids.participant ?? ''),
  }))
})
afterAll(() => whole?.close())

/** A customer with an account and a deposit, which belong to the seeded participant: the seed's own belong to nobody. */
async function holdingsOf(platform: TestPlatform, participantId: string): Promise<SeededIds> {
  const account = { type: 'STABLECOINS', status: 'active', name: 'Own' }
  const customers = [{ externalId: 'own-customer', status: 'active', accounts: [account] }]
  const { body } = await platform.to('participant').patch(`/participants/${participantId}`, { customers })
  const [customer] = body.customers
  const accountId = customer.accounts[0].id
  const deposit = await platform.to('core-ledger').create<{ id: string }>('/transactions/deposit', {
    accountId,
    network: exampleToken.network,
    assetId: ids.asset,
    amount: '5',
    sourceAddress: exampleAddress,
    txHash: `0x${'7'.repeat(64)}`,
  })
  return { customer: customer.id, account: accountId, portfolioAccount: accountId, deposit: deposit.id }
}

const send = (each: Asked, headers: Record<string, string>) => whole.send(each, headers)

describe('the table of routes and roles', () => {
  test('has a row for every operation of every service', () => {
    const missing = asked.filter(({ service, method, route }) => {
      try {
        findRule({ service, path: route, query: '' }, method)
        return false
      } catch {
        return true
      }
    })
    expect(missing.map(({ service, method, route }) => `${service}: ${method} ${route}`)).toEqual([])
    expect(asked.length).toBeGreaterThan(150)
  })

  test('is open where no credentials are asked for, and there alone', () => {
    const different = asked.filter(({ service, method, route }) => {
      const target = { service, path: route, query: '' }
      return (needsOf(target, method) === 'nothing') !== (findRule(target, method).rule.isOpen === true)
    })
    expect(different.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

test('nobody gets anything but what is open: 401', async () => {
  const answered: string[] = []
  for (const each of asked) {
    if (needsOf({ service: each.service, path: each.route, query: '' }, each.method) === 'nothing') continue
    const { status } = await send(each, {})
    if (status !== 401) answered.push(`${each.method} ${each.path}: ${status}`)
  }
  expect(answered).toEqual([])
})

/** What belongs to the seeded participant and must not be seen by another. */
const secrets = () => {
  const own = ['customer', 'account', 'portfolioAccount', 'participant', 'message', 'endpoint', 'screeningJob'] as const
  const more = ['delivery', 'deposit', 'pendingDeposit', 'withdrawalToFail', 'payerBank'] as const
  return [...own, ...more].map((name) => ids[name]).filter((id) => id !== undefined)
}

test('another participant reads nothing of it and changes nothing, by any operation', async () => {
  const seen: string[] = []
  const failed: string[] = []
  for (const each of asked) {
    const { status, text } = await send(each, stranger)
    // What it said itself may come back.
    const foreign = secrets().filter((id) => text.includes(id) && !JSON.stringify(each).includes(id))
    const asksForForeign = secrets().some((id) => each.path.includes(id))
    if (foreign.length > 0) seen.push(`${each.method} ${each.path}: ${text.slice(0, 200)}`)
    if (asksForForeign && status < 400) seen.push(`${each.method} ${each.path}: ${status}`)
    if (status >= 500) failed.push(`${each.method} ${each.path}: ${status} ${text}`)
  }
  expect(seen).toEqual([])
  expect(failed).toEqual([])
})

test('its owner reads it: what the other was refused is there', async () => {
  const reads = asked.filter(({ service, method, route }) => {
    const { own } = findRule({ service, path: route, query: '' }, method).rule
    // Payments, documents and bank accounts belong to other participants of the seed.
    return (
      !['main-api', 'transaction-manager'].includes(service) &&
      method === 'GET' &&
      own?.named.every(({ place }) => place === 'path')
    )
  })
  const refused: string[] = []
  for (const each of reads) {
    const { status, text } = await send(each, owner)
    // The service's own 404, of an account without a wallet, is another.
    const isRefused = status === 403 || text.includes('There is no such resource')
    if (isRefused && secrets().some((id) => each.path.includes(id))) refused.push(`${each.path}: ${status} ${text}`)
  }
  expect(refused).toEqual([])
  expect(reads.length).toBeGreaterThan(10)
})
