// The second factor through the console and the gateway (the identity manager has its own tests).
import { afterAll, beforeAll, expect } from 'bun:test'
import { createHmac } from 'node:crypto'
import { inOrder } from '@bursar/testing'
import { rowsIn } from '@bursar/testing/service'
import { admin, age, openConsole, type TestConsole } from './console-harness'
import { echo } from './peers'

/** Codes of an authenticator, the second later than the first; each is good for half a minute before and after its own. */
function authenticator(secret: string) {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  const codeAt = (step: number) => {
    const message = Buffer.alloc(8)
    message.writeBigUInt64BE(BigInt(step))
    const mac = createHmac('sha1', key).update(message).digest()
    return `${(mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000}`.padStart(6, '0')
  }
  return {
    now: () => codeAt(Math.floor(Date.now() / 30_000)),
    next: () => codeAt(Math.floor(Date.now() / 30_000) + 1),
  }
}

const transaction = '01a1fe8f-0000-7000-8000-0000000000e1'
const small = '01a1fe8f-0000-7000-8000-0000000000e2'
let consoles: TestConsole
beforeAll(async () => {
  consoles = await openConsole({ ENVIRONMENT: 'production', AUTHORIZATION: 'roles', FOUR_EYES_USD: '1000' })
  consoles.core.answer(async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.endsWith('/review')) return await echo(request)
    return Response.json({ required: pathname.includes(transaction) ? 2 : 1, approvals: [] })
  })
})
afterAll(() => consoles?.close())

const codeOf = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body?.error?.code,
]
const approve = (cookie: string, id = transaction) =>
  consoles.ask(`/core/v1/transactions/${id}/approve-frozen-withdrawal`, { body: {}, cookie })

inOrder('an administrator in production', (step) => {
  let cookie: string
  let codes: ReturnType<typeof authenticator>
  let used: string
  let later: string
  let recoveryCodes: string[]
  let bearer: Record<string, string>

  step('who has none can set it up, and do nothing else', async () => {
    const answer = await consoles.ask('/session', { body: admin })
    expect([answer.status, answer.body.mustEnrol]).toEqual([200, true])
    cookie = answer.cookie ?? ''
    for (const path of [
      '/core/v1/transactions',
      '/core/v1/users/profile',
      '/health',
      '/search?q=a',
      '/identity/v1/users',
      '/audit',
    ]) {
      expect([path, ...codeOf(await consoles.ask(path, { cookie }))]).toEqual([path, 403, 'SECOND_FACTOR_REQUIRED'])
    }
    expect(codeOf(await approve(cookie))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    const direct = await fetch(`${consoles.url}/identity/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    const { data } = (await direct.json()) as { data: { accessToken: string } }
    bearer = { authorization: `Bearer ${data.accessToken}` }
    const through = async (path: string) => (await fetch(`${consoles.url}${path}`, { headers: bearer })).status
    expect(await through('/core/v1/transactions')).toBe(403)
    expect(await through('/identity/v1/users/sessions')).toBe(403)
    expect(await through('/identity/v1/users/mfa')).toBe(200)
  })

  step('it sets it up, and its session may do what it may', async () => {
    const begun = await consoles.ask('/identity/v1/users/mfa/totp', { body: { password: admin.password }, cookie })
    expect(begun.status).toBe(201)
    codes = authenticator(begun.body.data.secret)
    const wrong = await consoles.ask('/session/second-factor', { body: { code: '00000a' }, cookie })
    expect(codeOf(wrong)).toEqual([400, 'INVALID_REQUEST'])
    used = codes.now()
    const answer = await consoles.ask('/session/second-factor', { body: { code: used }, cookie })
    expect([answer.status, answer.body.session.mustEnrol]).toEqual([200, false])
    recoveryCodes = answer.body.recoveryCodes
    expect(recoveryCodes).toHaveLength(10)
    expect((await consoles.ask('/core/v1/transactions', { cookie })).status).toBe(200)
  })

  step('a log-in asks for a code from now on', async () => {
    const first = await consoles.ask('/session', { body: admin })
    expect([first.status, first.cookie, first.body.mfaRequired]).toEqual([200, null, true])
    const { challenge } = first.body
    expect((await consoles.ask('/session/code', { body: { challenge, code: '00000a' } })).status).toBe(401)
    expect((await consoles.ask('/session/code', { body: { challenge, code: used } })).status).toBe(401)
    later = codes.next()
    const right = { body: { challenge, code: later } }
    // Neither from another page, nor where no browser would keep the cookie: the code is not used up.
    const others: Record<string, string | null>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'x-console': null },
      { host: 'desk.bank.example' },
    ]
    for (const headers of others) {
      expect([headers, (await consoles.ask('/session/code', { ...right, headers })).status]).toEqual([headers, 403])
    }
    const second = await consoles.ask('/session/code', right)
    expect([second.status, second.body.mustEnrol]).toEqual([200, false])
    expect(second.headers.getSetCookie().map((each) => each.split('=')[0])).toEqual(['__Host-session', '__Host-device'])
    cookie = second.cookie ?? ''
    expect((await approve(cookie)).status).toBe(200)
  })

  step('some minutes later a large decision takes another one; a small one, and reading, does not', async () => {
    await age(consoles, cookie)
    for (const act of ['approve-frozen-deposit', 'reject-frozen-withdrawal', 'fail', 'release', 'return', 'cover']) {
      const path = `/core/v1/transactions/${transaction}/${act}`
      expect(codeOf(await consoles.ask(path, { body: { reason: 'Because' }, cookie }))).toEqual([
        403,
        'SECOND_FACTOR_NEEDED',
      ])
    }
    const cover = `/core/v1/balances/account/${Bun.randomUUIDv7()}/movements/cover`
    const covered = { movement: 'ethereum 0x1 in:1', reason: 'Because' }
    expect(codeOf(await consoles.ask(cover, { body: covered, cookie }))).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect(
      codeOf(
        await consoles.ask(`/api/v1/core/transactions/${transaction}/approve-frozen-deposit`, { body: {}, cookie }),
      ),
    ).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect((await approve(cookie, small)).status).toBe(200)
    expect((await consoles.ask('/core/v1/transactions', { cookie })).status).toBe(200)
    // A clock that was ahead has shown nothing.
    await age(consoles, cookie, -6)
    expect(codeOf(await approve(cookie))).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect((await consoles.ask('/session/verify', { body: { code: '00000a' }, cookie })).status).toBe(400)
    expect(codeOf(await approve(cookie))).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect((await consoles.ask('/session/verify', { body: { code: recoveryCodes[0] }, cookie })).status).toBe(200)
    expect((await approve(cookie)).status).toBe(200)
  })

  step('the audit trail has each of these, and no secret', async () => {
    const query = 'SELECT action, detail FROM audit_trail'
    const rows = await rowsIn<{ action: string; detail: string }>(consoles.platform.kept('gateway'), query)
    const actions = new Set(rows.map(({ action }) => action))
    for (const action of ['POST /users/mfa/totp', 'POST /users/mfa/totp/confirm', 'POST /console/api/session']) {
      expect(actions).toContain(action)
    }
    const all = JSON.stringify(rows)
    for (const secret of [...recoveryCodes, admin.password, 'otpauth:']) expect(all).not.toContain(secret)
    // As words: the digits of an id may be those of a code.
    for (const code of [used, later]) expect(all).not.toMatch(new RegExp(`\\b${code}\\b`))
  })
})
