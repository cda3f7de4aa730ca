// A session's tokens after a change of its user, whatever was on its way before, and when two gateways refresh them.
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { createSeal } from '@bursar/http'
import { type OpenStore, openStore } from '@bursar/store'
import { until } from '@bursar/testing'
import { placeOn, rowsIn } from '@bursar/testing/service'
import { findSession, insertSession, type SessionRow, storeRefreshed } from '../src/console-sessions/console-sessions'
import { createRefresh } from '../src/console-sessions/refresh-session'
import { openTokens, sealTokens } from '../src/console-sessions/sealed-tokens'
import type { SessionDeps } from '../src/console-sessions/session'
import { migrations } from '../src/service'
import { ownPage } from './console-harness'
import { openGateway, type TestGateway } from './harness'
import { tokenOf } from './peers'

const user = {
  id: '01a1fe8f-0000-7000-8000-0000000000c1',
  email: 'a@bank.example',
  name: 'A',
  roles: ['operator' as const],
}
const known = {
  ...user,
  status: 'ACTIVE',
  participantId: null,
  custodianId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  mustChangePassword: false,
}

let gateway: TestGateway
let isEnrolled: boolean
/** Held back until they are let go, by the end of their path. */
let held: Map<string, PromiseWithResolvers<void>>
let asked: string[]

beforeEach(async () => {
  ;[isEnrolled, held, asked] = [false, new Map(), []]
  gateway = await openGateway()
  const { server, handle } = gateway.identity
  server.answer(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/known')) return Response.json(known)
    if (!/\/auth\/|\/confirm$/.test(pathname)) return await handle(request)
    asked.push(pathname.slice(pathname.lastIndexOf('/') + 1))
    const answer = await answerTo(pathname)
    await held.get(asked.at(-1) ?? '')?.promise
    return answer
  })
})
afterEach(async () => {
  setSystemTime()
  for (const { resolve } of held.values()) resolve()
  await gateway?.close()
})

/** As of the moment when it is asked. */
async function answerTo(path: string): Promise<Response> {
  if (path.endsWith('/confirm')) {
    isEnrolled = true
    return Response.json({ data: { recoveryCodes: ['a'] } })
  }
  const rights = isEnrolled ? {} : { mustEnrol: true as const }
  const sid = '01a1fe8f-0000-7000-8000-0000000000d1'
  const accessToken = await tokenOf(gateway.key, { sub: user.id, sid, roles: ['operator'], ...rights })
  return Response.json({ data: { accessToken, refreshToken: `refresh ${asked.length}`, expiresIn: 900, user } })
}

async function ask(
  path: string,
  { method = 'POST', body, cookie = '' }: { method?: string; body?: object; cookie?: string },
) {
  const headers = { ...ownPage, 'content-type': 'application/json', ...(cookie ? { cookie } : {}) }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const answer = await fetch(`${gateway.url}/console/api/session${path}`, init)
  const [set = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  return { status: answer.status, body: (await answer.json()) as any, cookie: set }
}

const hold = (what: string) => held.set(what, Promise.withResolvers<void>())
const letGo = (what: string) => held.get(what)?.resolve()

test.each(['were refreshed', 'are being refreshed'])(
  'who sets up its second factor has its rights, also where its tokens %s meanwhile',
  async (when) => {
    const { cookie, body } = await ask('', { body: { email: user.email, password: 'x' } })
    expect(body.mustEnrol).toBe(true)
    for (const what of ['confirm', 'refresh']) hold(what)
    const confirming = ask('/second-factor', { body: { code: '123456' }, cookie })
    await until(() => asked.includes('confirm'))
    // Refreshed from before the change, for it is not known yet there: the identity manager's answer is on its way.
    isEnrolled = false
    setSystemTime(new Date(Date.now() + 14.5 * 60_000))
    const reading = ask('', { method: 'GET', cookie })
    await until(() => asked.includes('refresh'))
    isEnrolled = true
    if (when === 'were refreshed') {
      letGo('refresh')
      expect((await reading).body.mustEnrol).toBe(true)
    }
    letGo('confirm')
    // By then it asks for new tokens, or is about to.
    const query = 'SELECT id FROM console_sessions WHERE verified_at IS NOT NULL'
    await until(async () => (await rowsIn(gateway.platform.kept('gateway'), query)).length > 0)
    letGo('refresh')
    expect((await confirming).body.session.mustEnrol).toBe(false)
    expect((await ask('', { method: 'GET', cookie })).body.mustEnrol).toBe(false)
    await reading
  },
)

const stored: SessionRow = {
  id: 'x',
  sessionId: 'y',
  userId: user.id,
  user: { ...user, participantId: null, custodianId: null },
  mustChangePassword: false,
  tokens: 'first',
  createdAt: new Date('2026-01-01T00:00:00.000Z'),
  verifiedAt: null,
  usedAt: new Date('2026-01-01T00:00:00.000Z'),
}

/** The database of the gateway, which is stopped meanwhile. */
async function onStore(work: (store: OpenStore) => Promise<void>): Promise<void> {
  await gateway.platform.stop('gateway')
  const store = await openStore({ service: 'gateway', ...placeOn(gateway.platform.kept('gateway')), migrations })
  await work(store)
  await store.close()
  await gateway.platform.start('gateway')
}

test('tokens give way to no older ones that a slower gateway got', async () => {
  await onStore(async (store) => {
    await store.commit((tx) => insertSession(tx).execute(stored))
    const after = async (tokens: string, before: string) => {
      await store.commit((tx) => storeRefreshed(tx, { ...stored, tokens }, before))
      return (await findSession(store.read, stored.id))?.tokens
    }
    expect(await after('second', 'first')).toBe('second')
    expect(await after('third', 'second')).toBe('third')
    expect(await after('second', 'first')).toBe('third')
  })
})

// A newer key may seal the same tokens again; another gateway stores others.
test.each([
  ['before', 'the same', 'old', 'new'],
  ['while', 'the same', 'old', 'new'],
  ['while', 'others', 'other', 'other'],
])('where %s they are refreshed %s are stored, there are the right ones afterwards', async (when, _, then, kept) => {
  await onStore(async (store) => {
    const seal = createSeal(new Uint8Array(32))
    const sealed = (token: string) => sealTokens(seal, stored.id, { accessToken: token, refreshToken: token })
    const row = { ...stored, tokens: sealed('old') }
    await store.commit((tx) => insertSession(tx).execute(row))
    const again = () => store.commit((tx) => storeRefreshed(tx, { ...row, tokens: sealed(then) }, row.tokens))
    let asked = 0
    const client = {
      async call() {
        asked += 1
        if (when === 'while') await again()
        return { data: { accessToken: 'new', refreshToken: 'new' } }
      },
      find: async () => null,
    }
    const { refresh } = createRefresh({ store, client, sessionSeal: seal } as unknown as SessionDeps)
    if (when === 'before') await again()
    const { tokens } = await refresh(row)
    expect([asked, openTokens(seal, row.id, tokens)?.refreshToken]).toEqual([1, kept])
  })
})
