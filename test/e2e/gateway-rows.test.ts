// AUTHORIZATION=documented on the platform as it runs: every operation of every OpenAPI document through the gateway, with
// success, with the errors that can be provoked alike for all, and with credentials that do not hold.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inOrder } from '@bursar/testing'
import { needsOf } from '../../services/gateway/src/access/needs'
import { shapeProblem } from './error-shapes'
import { inStories, notBy404, onlyOnce } from './gateway-rows-apart'
import { broken, unknown } from './spoilt-requests'
import { type Answered, type Asked, pathOf, type ThroughGateway, throughGateway } from './through-gateway'

const admin = { email: 'admin@bank.example', password: 'a long sentence for the admin' }
/** Of a participant that the main API does not know, and to which nothing belongs. */
const ownKey = 'sk_test_rows'
let whole: ThroughGateway
let asked: Asked[]
/** Those that need credentials. */
let closed: Asked[]
let bearer: string

beforeAll(async () => {
  whole = await throughGateway({
    AUTHORIZATION: 'documented',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  const made = { institutionName: 'Rows', authConsumerId: ownKey, customers: [] }
  await whole.platform.to('participant').create('/participants', made)
  await whole.platform.settle()
  const { body } = await whole.platform.to('gateway', '').post('/identity/v1/auth/login', admin)
  bearer = `Bearer ${body.data.accessToken}`
  asked = await whole.operations()
  closed = asked.filter(
    (each) => needsOf({ service: each.service, path: each.route, query: '' }, each.method) !== 'nothing',
  )
})
afterAll(() => whole?.close())

const named = ({ service, method, route }: Asked) => `${service}: ${method} ${route}`
type Headers = Record<string, string> | ((asked: Asked) => Record<string, string>)
type ProblemOf = (answer: Answered, asked: Asked) => string | null

/** Sends each, and says which answers are not as expected; 403 and 500 never are. */
async function problemsOf(requests: readonly Asked[], headers: Headers, problemOf: ProblemOf): Promise<string[]> {
  const problems: string[] = []
  for (const each of requests) {
    const answer = await whole.send(each, typeof headers === 'function' ? headers(each) : headers)
    const problem = [403, 500].includes(answer.status) ? `${answer.status}` : problemOf(answer, each)
    if (problem !== null)
      problems.push(`${named(each)} (${each.path} ${JSON.stringify(each.body)}): ${problem} ${answer.text}`)
  }
  return problems
}

const refusal =
  (status: number, code: string): ProblemOf =>
  (answer) =>
    shapeProblem('gateway', answer, status) ?? (answer.body.error.code === code ? null : `not ${code}`)

/** An error that the document has, in the shape of its service. */
const documented =
  (status: number): ProblemOf =>
  (answer, { service, statuses }) =>
    statuses.includes(status) ? shapeProblem(service, answer, status) : `${status} is not in the document`

test('there is a request for every operation, and some need no credentials', () => {
  expect(new Set(asked.map(({ service }) => service)).size).toBe(whole.behind.length)
  expect(asked.length).toBeGreaterThan(200)
  const open = asked.filter((each) => !closed.includes(each) && each.route !== '/health').map(named)
  expect(open).toEqual([
    'identity-manager: POST /auth/login',
    'identity-manager: POST /auth/mfa',
    'identity-manager: POST /auth/mfa/options',
    'identity-manager: POST /auth/refresh',
    'identity-manager: POST /auth/logout',
    'identity-manager: GET /auth/single-sign-on',
    'identity-manager: POST /auth/single-sign-on/begin',
    'identity-manager: POST /auth/single-sign-on/complete',
    'identity-manager: POST /auth/change-password/{changePasswordToken}',
    'identity-manager: POST /auth/forgot-password',
    'identity-manager: POST /auth/reset-password/{resetPasswordToken}',
    'identity-manager: POST /users/register',
    'identity-manager: GET /.well-known/jwks.json',
    'main-api: POST /participants',
  ])
})

test('without credentials: 401 UNAUTHORIZED', async () => {
  expect(await problemsOf(closed, {}, refusal(401, 'UNAUTHORIZED'))).toEqual([])
})

test('without the access token where both are needed: 401 UNAUTHORIZED', async () => {
  const both = closed.filter(({ service }) => service === 'main-api' || service === 'log-tracker')
  expect(await problemsOf(both, { 'x-api-key': ownKey }, refusal(401, 'UNAUTHORIZED'))).toEqual([])
})

test('with a key that nobody has, or of the other environment: 401 INVALID_API_KEY', async () => {
  for (const key of ['sk_test_nobodys', 'sk_live_nobodys']) {
    const headers = { authorization: bearer, 'x-api-key': key }
    expect(await problemsOf(closed, headers, refusal(401, 'INVALID_API_KEY'))).toEqual([])
  }
})

test('with an access token that has expired: 401 TOKEN_EXPIRED', async () => {
  const authorization = await whole.bearer({ roles: ['admin'], lasts: '-1m' })
  const pairs: Record<string, string>[] = [{ authorization }, { authorization, 'x-api-key': ownKey }]
  for (const headers of pairs) {
    expect(await problemsOf(closed, headers, refusal(401, 'TOKEN_EXPIRED'))).toEqual([])
  }
})

test('what is for a participant, asked by a user of none, and what is for a user, by a key: 401', async () => {
  const keyed = closed.filter(({ apiKey, statuses }) => apiKey !== undefined && statuses.includes(401))
  const ofCustodian = keyed.filter(({ route }) => route.startsWith('/custodian-bank'))
  const forParticipant = keyed.filter((each) => !ofCustodian.includes(each))
  expect([forParticipant.length > 10, ofCustodian.length]).toEqual([true, 10])
  // It may be the user of a custodian bank: this one is of none.
  expect(await problemsOf(ofCustodian, { authorization: bearer }, documented(404))).toEqual([])
  expect(await problemsOf(forParticipant, { authorization: bearer }, documented(401))).toEqual([])
  const forUser = closed.filter(({ service, statuses }) => service === 'identity-manager' && statuses.includes(401))
  const routes = forUser.map(({ route }) => route).filter((route) => !route.startsWith('/users/mfa'))
  expect(routes).toEqual(['/users/change-password-token', '/users/sessions', '/users/profile'])
  expect(await problemsOf(forUser, { 'x-api-key': ownKey }, documented(401))).toEqual([])
})

const asOther = () => ({ authorization: bearer, 'x-api-key': ownKey })

test('with an id, a query value, a field or a body of a wrong kind: 400', async () => {
  const requests = asked.flatMap(broken)
  expect(new Set(requests.map(named)).size).toBeGreaterThan(150)
  expect(await problemsOf(requests, asOther, documented(400))).toEqual([])
})

test('with an id that nothing has, for a participant or a user that is not known: 404', async () => {
  const authorization = await whole.bearer({ roles: ['admin'] })
  const rows = asked.filter(({ statuses }) => statuses.includes(404)).map(unknown)
  expect(rows.length).toBeGreaterThan(90)
  const problemOf: ProblemOf = (answer, each) => {
    const other = notBy404[named(each)]
    if (other === undefined || other >= 400) return documented(other ?? 404)(answer, each)
    return answer.status === other ? null : `not ${other}`
  }
  const headers = { authorization, 'x-api-key': ownKey }
  expect(await problemsOf(rows, headers, problemOf)).toEqual([])
})

/** By operation: what its request and its answer said. */
const made = new Map<string, Record<string, string>>()

/** What one of these requests made, in place of what the document has no example of, and of what is deleted. */
function filled(each: Asked): Asked {
  const from = (route: string) => made.get(`${each.service} ${route}`)
  const parent = from(each.route.replace(/\/\{\w+\}$/, '')) ?? from(each.route.slice(0, each.route.indexOf('/{'))) ?? {}
  // The path of a category's mapping names the provider by `id`.
  const id = each.route.startsWith('/category-providers/') ? parent.providerId : parent.id
  const others: Record<string, string | undefined> = {
    transactionHash: made.get('blockchain /simulated/{network}/deposits')?.transactionHash,
    transactionId: whole.ids.payment,
  }
  const missing = each.parameters.filter(
    (parameter) => parameter.in === 'path' && (each.method === 'DELETE' || parameter.example === undefined),
  )
  const given = missing.map(({ name }) => [
    name,
    (name === 'id' ? id : parent[name]) ?? others[name] ?? id ?? 'nothing',
  ])
  return { ...each, path: pathOf(each, Object.fromEntries(given)) }
}

const isSuccess: ProblemOf = ({ status, body: answer }, { service, method, route, body, statuses }) => {
  if (method === 'POST') made.set(`${service} ${route}`, { ...(body as object), ...(answer?.data ?? answer) })
  return status < 300 && statuses.includes(status) ? null : 'no success'
}

/** With a key of each own, so that the same request again is a repeat. */
const asCaller = (each: Asked) => ({
  authorization: bearer,
  ...(each.apiKey ? { 'x-api-key': each.apiKey } : {}),
  'idempotency-key': `rows-${asked.findIndex((one) => named(one) === named(each) && one.body === each.body)}`,
})

/** One after the other: what a request makes is named by those behind it. */
async function succeed(requests: readonly Asked[], headers: Headers = asCaller): Promise<void> {
  const problems: string[] = []
  for (const each of requests) problems.push(...(await problemsOf([filled(each)], headers, isSuccess)))
  expect(problems).toEqual([])
}

inOrder('the examples of all operations', (step) => {
  const rows = () => asked.filter((each) => !inStories.includes(named(each)))
  const isOfCustodian = ({ route }: Asked) => route === '/custodian-bank/transactions/{transactionId}'
  const needsHash = ({ route }: Asked) => route.includes('{transactionHash}')
  const isDelete = ({ method }: Asked) => method === 'DELETE'
  const kept = () => rows().filter((each) => !isDelete(each))
  const repeatable = () => kept().filter(({ method, statuses }) => method === 'POST' && statuses.includes(422))

  step('succeed', async () => {
    expect(asked.length - rows().length).toBe(inStories.length)
    await succeed(kept().filter((each) => !isOfCustodian(each) && !needsHash(each)))
  })

  step('succeed where a user of the payment’s custodian bank asks', async () => {
    const { body } = await whole.platform.to('main-api').get('/admin/custodian-bank?limit=100')
    const bank = body.data.find(({ name }: { name: string }) => name === 'Meridian Trust')
    const authorization = await whole.bearer({ roles: ['custodian-admin'], custodianId: bank.id })
    await succeed(rows().filter(isOfCustodian), { authorization })
  })

  step('succeed with the hash of a movement on chain', async () => {
    const transactionHash = made.get('blockchain /simulated/{network}/deposits')?.transactionHash
    const path = `/transactions/v1/deposit/${whole.ids.paymentDeposit}/update`
    const body = { transactionHash }
    const answer = await whole.send({ method: 'PUT', path, body, headers: {} }, { authorization: bearer })
    expect(answer.status).toBe(200)
    await succeed(rows().filter(needsHash))
  })

  step('are answered with the same when they are repeated with their key', async () => {
    expect(repeatable().length).toBeGreaterThan(50)
    const isReplay: ProblemOf = ({ status, headers }) =>
      status < 300 && headers.get('idempotent-replayed') === 'true' ? null : 'no replay'
    expect(await problemsOf(repeatable(), asCaller, isReplay)).toEqual([])
  })

  step('are refused with that key and another query: 422', async () => {
    const changed = repeatable().map((each) => ({
      ...each,
      path: `${each.path}${each.path.includes('?') ? '&' : '?'}other=1`,
    }))
    expect(await problemsOf(changed, asCaller, documented(422))).toEqual([])
  })

  step('are refused without that key where they make what there can be once: 409', async () => {
    const again = kept().filter((each) => onlyOnce.includes(named(each)))
    expect(again.length).toBe(onlyOnce.length)
    const withoutKey = (each: Asked) => ({ ...asCaller(each), 'idempotency-key': Bun.randomUUIDv7() })
    expect(await problemsOf(again, withoutKey, documented(409))).toEqual([])
  })

  step('delete what they made, once', async () => {
    // What belongs to a record goes before it.
    const depth = ({ path }: Asked) => path.split('/').length
    const deletes = rows()
      .filter(isDelete)
      .reverse()
      .sort((one, other) => depth(other) - depth(one))
    await succeed(deletes)
    const isGone = (each: Asked) => documented(notBy404[named(each)] ?? 404)
    const problems = await problemsOf(deletes.map(filled), asCaller, (answer, each) => isGone(each)(answer, each))
    expect(problems).toEqual([])
  })
})
