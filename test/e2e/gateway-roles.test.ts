// AUTHORIZATION=roles on the platform as it runs: every operation of every OpenAPI document, sent through the gateway by a
// participant to whom nothing of the seeded data belongs, by the one to whom it does, and by nobody.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { exampleAddress, exampleApiKey, exampleToken } from '@bursar/contracts/examples'
import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { type ServiceName, services } from '@bursar/contracts/services'
import { type LocalServer, localServer } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type SeededIds, seed, withSeededIds } from '../../scripts/seed/seed'
import { findRule } from '../../services/gateway/src/access/find-rule'
import { needsOf } from '../../services/gateway/src/credentials/needs'

setDefaultTimeout(180_000)

interface Parameter {
  name: string
  in: string
  example?: unknown
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, { content?: object }>
}
interface Asked {
  service: ServiceName
  method: string
  /** As the document has it. */
  route: string
  /** Filled in, as the gateway has it. */
  path: string
  body: unknown
}

const behind = builtServices().filter((name) => name !== 'gateway')
const strangersKey = 'sk_test_stranger'
let platform: TestPlatform
let identity: LocalServer
let ids: SeededIds
let asked: Asked[]
/** Headers of a user with its participant's key. */
let owner: Record<string, string>
let stranger: Record<string, string>

/** The real identity manager, but for its keys: so that a test can sign in anybody. */
async function identityWith(publicKey: object): Promise<LocalServer> {
  return localServer((request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/v1/.well-known/jwks.json') return Response.json({ keys: [publicKey] })
    return fetch(platform.url('identity-manager') + pathname + search, request)
  })
}

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  identity = await identityWith({ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA', use: 'sig' })
  const limits = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_LOGIN: '100000', RATE_LIMIT_FAILURES: '100000' }
  platform = await testPlatform(['gateway', ...behind], {
    NETWORK_POLL_MS: '100',
    AUTHORIZATION: 'roles',
    IDENTITY_URL: identity.url,
    ...limits,
  })
  const urls = Object.fromEntries(behind.map((name) => [name, platform.url(name)])) as Record<ServiceName, string>
  ids = { ...(await seed({ urls, say: () => {} })) }
  Object.assign(ids, await holdingsOf(ids.participant ?? ''))
  const made = { institutionName: 'Stranger', authConsumerId: strangersKey, customers: [] }
  const other = await platform.to('participant').create<{ id: string }>('/participants', made)
  await platform.settle(60_000)
  const signIn = async (participantId: string, key: string) => {
    const claims = { sid: Bun.randomUUIDv7(), roles: ['participant-admin'], participantId, custodianId: null }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
      .setSubject(Bun.randomUUIDv7())
      .setIssuer(accessTokenIssuer)
      .setAudience(accessTokenAudience)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(privateKey)
    return { authorization: `Bearer ${token}`, 'x-api-key': key }
  }
  owner = await signIn(ids.participant ?? '', exampleApiKey)
  stranger = await signIn(other.id, strangersKey)
  asked = (await Promise.all(behind.map(examplesOf))).flat()
})
afterAll(async () => {
  await platform?.close()
  await identity?.stop()
})

/** A customer with an account and a deposit, which belong to the seeded participant: the seed's own belong to nobody. */
async function holdingsOf(participantId: string): Promise<SeededIds> {
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

/** A request for each operation, with the ids of the seeded data. */
async function examplesOf(service: ServiceName): Promise<Asked[]> {
  const text = await (await fetch(`${platform.url(service)}/v1/swagger/json`)).text()
  const { paths } = JSON.parse(withSeededIds(text, ids)) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if ('text/event-stream' in (operation.responses[200]?.content ?? {})) return []
      const { parameters = [], requestBody } = operation
      const inPath = parameters.filter((each) => each.in === 'path')
      const filled = inPath.reduce(
        (path, { name, example }) => path.replace(`{${name}}`, encodeURIComponent(`${example ?? ids.participant}`)),
        route,
      )
      const inQuery = parameters.filter((each) => each.in === 'query' && each.example !== undefined)
      const query = new URLSearchParams(
        inQuery.map(({ name, example }): [string, string] => [name, `${example}`]),
      ).toString()
      const path = filled.startsWith('/api/v1/') ? filled : `/${services[service].slug}/v1${filled}`
      const media = requestBody?.content['application/json']
      const body = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
      return [{ service, method: method.toUpperCase(), route, path: query ? `${path}?${query}` : path, body }]
    }),
  )
}

const send = async ({ method, path, body }: Asked, headers: Record<string, string>) => {
  const { status, body: answer } = await platform.to('gateway', '').ask(method, path, body, headers)
  return { status, text: JSON.stringify(answer) ?? '' }
}

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
