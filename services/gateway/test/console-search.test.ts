import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchHit } from '@bursar/contracts/search'
import { impatiently, type LocalServer, localServer, until } from '@bursar/testing'
import { openConsole, type TestConsole } from './console-harness'

const names = ['CUSTOMER', 'ACCOUNT', 'WEBHOOK', 'QUOTE', 'MESSAGE', 'CORE', 'PARTICIPANT'] as const
const id = '01a1fe8f-0000-7000-8000-0000000000c1'

let opened: TestConsole
let cookie: string
const peers = new Map<string, LocalServer>()
const peer = (name: (typeof names)[number]) => peers.get(name) as LocalServer
const nothing = ({ url }: Request) =>
  new URL(url).pathname.endsWith('/changes')
    ? Response.json({ epoch: 1, items: [], more: false })
    : Response.json({ error: { code: 'NOT_FOUND', message: 'Nothing' } }, { status: 404 })

const hit = (kind: SearchHit['kind'], own: string, title = 'Hit'): SearchHit => ({
  kind,
  id: own,
  title,
  detail: '',
  status: null,
  at: null,
})
/** Answers a search alone. */
const finds =
  (...hits: unknown[]) =>
  (request: Request) =>
    new URL(request.url).pathname === '/internal/search' ? Response.json(hits) : nothing(request)

beforeAll(async () => {
  for (const name of names) peers.set(name, localServer(nothing))
  opened = await openConsole(Object.fromEntries([...peers].map(([name, { url }]) => [`${name}_URL`, url])))
  cookie = await opened.logIn()
})
beforeEach(() => {
  for (const server of peers.values()) server.answer(nothing)
})
afterAll(async () => {
  await opened?.close()
  await Promise.all([...peers.values()].map((server) => server.stop()))
})

/** Searches until no service is late but those that hang, and the answer takes less than `mostMs`: machines are busy. */
const search = (
  q: string,
  { by = cookie, hanging = [], mostMs = 45_000 }: { by?: string; hanging?: string[]; mostMs?: number } = {},
) =>
  until(
    async () => {
      const beganMs = performance.now()
      const answer = await opened.ask(`/search?q=${encodeURIComponent(q)}`, { cookie: by })
      if (performance.now() - beganMs > mostMs) return null
      const late = answer.body.silent.filter(({ reason }: { reason: string }) => reason === 'late')
      return late.every(({ service }: { service: string }) => hanging.includes(service)) && answer
    },
    { what: 'an answer in time' },
  )

describe('GET /console/api/search', () => {
  test('lists exact ids first, and each record once', async () => {
    peer('QUOTE').answer(finds(hit('asset', 'other', 'Begins so')))
    peer('CUSTOMER').answer(finds(hit('customer', id)))
    peer('PARTICIPANT').answer(finds(hit('customer', id), hit('participant', 'p1')))
    const { status, body } = await search(id.toUpperCase())
    expect(status).toBe(200)
    expect(body.hits.map((each: SearchHit) => [each.kind, each.id])).toEqual([
      ['customer', id],
      ['asset', 'other'],
      ['participant', 'p1'],
    ])
  })

  test('names the services that did not answer, and gives the hits of the others in time', async () => {
    peer('ACCOUNT').answer(() => new Promise<Response>(() => {}))
    peer('WEBHOOK').answer(() => new Response('garbage'))
    peer('MESSAGE').answer(finds({ kind: 'no such kind', id: 1 }))
    peer('CORE').answer(() => Response.json([hit('transaction', 'x'.repeat(100_000))]))
    peer('QUOTE').answer(finds(hit('asset', 'a1', 'y'.repeat(500))))
    // Before a call of the gateway's would end by itself, after five seconds.
    const { body } = await impatiently(() => search('zz', { hanging: ['account'], mostMs: 4500 }))
    expect(body.hits).toHaveLength(1)
    expect(body.hits[0].title).toHaveLength(200)
    const silent = Object.fromEntries(
      body.silent.map((each: { service: string; reason: string }) => [each.service, each.reason]),
    )
    expect(silent).toMatchObject({
      account: 'late',
      webhook: 'failing',
      message: 'failing',
      'core-ledger': 'failing',
      wallet: 'away',
    })
    // It has nothing to search, and is not missed.
    expect(silent.customer).toBeUndefined()
  })

  test('has at most five hits of a service', async () => {
    peer('QUOTE').answer(finds(...Array.from({ length: 50 }, (_, i) => hit('asset', `a${i}`))))
    expect((await search('zz')).body.hits).toHaveLength(5)
  })

  test('finds users by e-mail address, id and beginning of the name', async () => {
    const found = async (q: string) => (await search(q)).body.hits.map((each: SearchHit) => [each.kind, each.title])
    const { user } = (await opened.ask('/session', { cookie })).body
    for (const q of ['admin@bursar.example', 'ADMIN@BURSAR', user.id, user.name.slice(0, 4).toLowerCase()])
      expect([q, await found(q)]).toEqual([q, [['user', user.name]]])
    expect(await found('@bursar')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  test.each([
    ['', 400],
    ['%20', 200],
    ['x'.repeat(201), 400],
    ['a%0Ab', 400],
  ])('q=%p: %p', async (q, status) => {
    expect((await opened.ask(`/search?q=${q}`, { cookie })).status).toBe(status)
  })

  test('not without a session', async () => {
    expect((await opened.ask('/search?q=a')).status).toBe(401)
  })
})

describe('a participant’s user', () => {
  const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
  const [own, other] = ['01a1fe8f-0000-7000-8000-0000000000d1', '01a1fe8f-0000-7000-8000-0000000000d2']

  /** Invited, and with a password of its own. */
  async function member(of: object = { participantId: bank }, role = 5): Promise<string> {
    const user = { email: `member-${role}@bank.example`, password: 'four patient herons at the weir' }
    const identity = opened.platform.to('identity-manager')
    const roleId = `01900000-0000-7000-a000-00000000000${role}`
    const invited = await identity.post('/users', { email: user.email, name: 'Mem Ber', roleId, ...of })
    expect(invited.status).toBe(201)
    const token = await until(() => tokenIn(join(opened.platform.dataDir, 'mail'), user.email))
    await identity.post(`/auth/change-password/${token}`, { password: user.password })
    return await opened.logIn(user)
  }

  test('of a custodian bank instead finds nothing: no service is asked', async () => {
    let asked = 0
    peer('ACCOUNT').answer((request) => {
      asked += Number(new URL(request.url).pathname === '/internal/search')
      return finds(hit('account', own))(request)
    })
    const cookie = await member({ custodianId: '01a1fe8f-0000-7000-8000-0000000000c1' }, 7)
    expect([(await opened.ask('/search?q=zz', { cookie })).status, asked]).toEqual([403, 0])
  })

  test('finds only its own records, even if a service answers with others', async () => {
    const asked: (string | null)[] = []
    peer('PARTICIPANT').answer((request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.endsWith('/changes')) return nothing(request)
      if (pathname === '/internal/search') asked.push(searchParams.get('participantId'))
      const [, accountId] = /^\/internal\/account-owners\/(.+)$/.exec(pathname) ?? []
      if (accountId === undefined) return finds(hit('participant', bank), hit('participant', other))(request)
      return Response.json({ accountId, participantId: accountId === own ? bank : other })
    })
    peer('ACCOUNT').answer(finds(hit('account', own), hit('account', other)))
    peer('CORE').answer(finds(hit('transaction', other), hit('request', 'r1')))
    peer('QUOTE').answer(finds(hit('asset', 'a1')))
    const cookie = await member()
    const { status, body } = await search('zz', { by: cookie })
    expect(status).toBe(200)
    expect(body.hits.map((each: SearchHit) => [each.kind, each.id])).toEqual([
      ['asset', 'a1'],
      ['participant', bank],
      ['account', own],
    ])
    expect(new Set(asked)).toEqual(new Set([bank]))
    // What is for staff stays closed.
    for (const path of ['/health', '/audit', '/services/quote/dead-letters'])
      expect([path, (await opened.ask(path, { cookie })).status]).toEqual([path, 403])
    const retry = '/services/quote/dead-letters/x/retry'
    expect((await opened.ask(retry, { method: 'POST', cookie })).status).toBe(403)
    // Through the console the table of routes holds, also where it does not for the API.
    expect((await opened.ask('/quote/v1/providers', { body: {}, cookie })).status).toBe(403)
    const acts = (await opened.ask('/audit?object=x', { cookie: await opened.logIn() })).body
    expect(acts.map((act: { status: number }) => act.status)).toEqual([403])
  })
})

/** The token of the mail to an address, once it is there. */
function tokenIn(folder: string, email: string): string | undefined {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
  const mail = files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .find((text) => text.includes(`To: ${email}`))
  return mail && /password#([\w-]{20,})/.exec(mail)?.[1]
}
