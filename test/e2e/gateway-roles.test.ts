// AUTHORIZATION=roles on the platform as it runs: every operation of every OpenAPI document, sent through the gateway by a
// participant to whom nothing of the seeded data belongs, by the one to whom it does, and by nobody.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getCustomerByExternalId } from '@bursar/contracts/customer'
import { exampleAddress, exampleApiKey, exampleToken } from '@bursar/contracts/examples'
import { getBankAccountState } from '@bursar/contracts/main-api'
import { getAccountOwner, getCustomerOwner } from '@bursar/contracts/participant'
import type { TestPlatform } from '@bursar/testing/platform'
import { Elysia } from 'elysia'
import type { SeededIds } from '../../scripts/seed/seed'
import { TransactionWithAsset } from '../../services/core-ledger/src/movements/transactions.model'
import { findRule } from '../../services/gateway/src/access/find-rule'
import { needsOf } from '../../services/gateway/src/access/needs'
import type { Named, OwnRule } from '../../services/gateway/src/access/rules'
import { ownerAnswers } from '../../services/gateway/test/roles-gateway'
import { BankAccounts } from '../../services/main-api/src/custodian-banks/bank-accounts.model'
import { Message } from '../../services/message/src/messages/messages.model'
import { OnePaymentDetail } from '../../services/transaction-manager/src/payments/payments.model'
import { institutionAt, type Objects, objectsOf, pay } from './gateway-role-objects'
import { type Asked, pathTo, type ThroughGateway, throughGateway } from './through-gateway'

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
  await platform.settle()
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
    // A list that is narrowed to what is foreign is empty.
    if (asksForForeign && status < 400 && text !== '[]') seen.push(`${each.method} ${each.path}: ${status}`)
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
      own?.every(({ named }) => named.every(({ place }) => place === 'path'))
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

describe('what the gateway’s own tests have services answer', () => {
  const models = {
    AccountOwner: getAccountOwner.answer,
    TransactionWithAsset,
    OnePaymentDetail,
    Message,
    BankAccounts,
    CustomerOwner: getCustomerOwner.answer,
    CustomerState: getCustomerByExternalId.answer,
    BankAccountState: getBankAccountState.answer,
  }
  test.each(Object.keys(models) as (keyof typeof models)[])('is a %s as its service answers it', async (name) => {
    const stubs: object[] = Object.values(ownerAnswers[name])
    expect(stubs.length).toBeGreaterThan(0)
    for (const stub of stubs) {
      const service = new Elysia().get('/', () => structuredClone(stub) as never, { response: { 200: models[name] } })
      const answer = await service.handle(new Request('http://localhost/'))
      const text = await answer.text()
      // Refused where it lacks something; without what it has more than the model.
      expect([answer.status, answer.status === 200 ? JSON.parse(text) : text]).toEqual([200, stub])
    }
  })
})

type Role =
  | 'admin'
  | 'operator'
  | 'viewer'
  | `participant-${'admin' | 'user'}`
  | `custodian-${'admin' | 'user'}`
  | 'key'

describe('every operation, by every role', () => {
  const roles: readonly Role[] = [
    'admin',
    'operator',
    'viewer',
    'participant-admin',
    'participant-user',
    'key',
    'custodian-admin',
    'custodian-user',
  ]
  let own: Objects
  let foreign: Objects
  const credentials = new Map<Role, Record<string, string>>()

  beforeAll(async () => {
    const main = whole.platform.to('main-api')
    const newBank = async (name: string) =>
      (await main.create<{ id: string }>('/admin/custodian-bank', { name, country: 'US', services: ['SETTLEMENT'] })).id
    const [bank, otherBank] = [await newBank('First Keeping'), await newBank('Second Keeping')]
    const first = await institutionAt(whole.platform, bank, 'First')
    const second = await institutionAt(whole.platform, otherBank, 'Second')
    own = await objectsOf(whole, first, bank)
    foreign = await objectsOf(whole, second, otherBank)
    await pay(whole.platform, own, foreign)
    await whole.platform.settle()
    for (const role of roles) {
      const isOfParticipant = role === 'key' || role.startsWith('participant')
      const claims = {
        roles: [role],
        participantId: isOfParticipant ? first.id : null,
        custodianId: role.startsWith('custodian') ? bank : null,
      }
      const key: Record<string, string> = isOfParticipant ? { 'x-api-key': first.key } : {}
      const token: Record<string, string> = role === 'key' ? {} : { authorization: await whole.bearer(claims) }
      credentials.set(role, { ...token, ...key })
    }
  })

  /** The request about objects, and about nothing else that there is. */
  function about({ method, route, service, body }: Asked, named: readonly Named[], objects?: Objects): Asked {
    const idFor = ({ kind }: Named) => objects?.[kind] ?? Bun.randomUUIDv7()
    const inPath = Object.fromEntries(
      named.filter(({ place }) => place === 'path').map((each) => [each.name, idFor(each)]),
    )
    const filled = route.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(inPath[name] ?? Bun.randomUUIDv7()),
    )
    const query = new URLSearchParams(
      named.filter(({ place }) => place.startsWith('query')).map((each): [string, string] => [each.name, idFor(each)]),
    )
    const fields = Object.fromEntries(
      named.filter(({ place }) => place === 'body').map((each) => [each.name, idFor(each)]),
    )
    const plain = pathTo(service, filled)
    const hasBody = body !== undefined || named.some(({ place }) => place === 'body')
    return {
      service,
      method,
      route,
      path: query.size > 0 ? `${plain}?${query}` : plain,
      body: hasBody ? fields : undefined,
      headers: hasBody ? { 'content-type': 'application/json' } : {},
    } as Asked
  }

  const outcomeOf = ({ status, text }: { status: number; text: string }) =>
    text.includes('There is no such resource')
      ? 'not there'
      : status === 401 || status === 403 || status === 405 || status >= 500
        ? `${status}`
        : 'passes'

  /** What the services themselves refuse (401): a key is no user, and staff without a participant's key has no wallets. */
  const needsMore = (role: Role, { service, method, route }: Asked) =>
    (role === 'key' &&
      service === 'identity-manager' &&
      (/^\/users\/(change-password-token|sessions|profile|mfa)$/.test(route) ||
        /^\/users\/mfa\/((passkeys\/)?options|verify|totp|recovery-codes|.*\/remove)$/.test(route) ||
        `${method} ${route}` === 'GET /users/mfa/passkeys')) ||
    (['admin', 'operator', 'viewer'].includes(role) && service === 'wallet' && route === '/wallets')

  const ruleFor = (rules: readonly OwnRule[] | undefined, role: Role) => rules?.find(({ who }) => who.includes(role))

  test.each(roles)('%s: own, foreign and missing objects', async (role) => {
    const wrong: string[] = []
    const headers = credentials.get(role) ?? {}
    const tried = async (each: Asked, expected: string) => {
      const outcome = outcomeOf(await whole.send(each, headers))
      if (outcome !== expected)
        wrong.push(`${each.method} ${each.path} ${JSON.stringify(each.body)}: ${outcome}, not ${expected}`)
    }
    for (const each of asked) {
      const target = { service: each.service, path: each.route, query: '' }
      const needs = needsOf(target, each.method)
      if (needs === 'nothing') continue
      const { rule } = findRule(target, each.method)
      const ownRule = ruleFor(rule.own, role)
      if (role === 'key' && needs === 'both') await tried(about(each, ownRule?.named ?? []), '401')
      // Missing objects alone: what staff may do it would do.
      else if (rule.any.includes(role)) await tried(about(each, []), needsMore(role, each) ? '401' : 'passes')
      else if (!ownRule) await tried(about(each, []), '403')
      else {
        await tried(about(each, ownRule.named, foreign), 'not there')
        await tried(about(each, ownRule.named), 'not there')
        await tried(about(each, ownRule.named, own), 'passes')
      }
    }
    expect(wrong).toEqual([])
  })
})
