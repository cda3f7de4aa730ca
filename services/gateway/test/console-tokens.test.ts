import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { deploymentSeal, openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
import { rowsIn, setBack } from '@bursar/testing/service'
import { admin, openConsole, type TestConsole, type Told } from './console-harness'

let consoles: TestConsole
beforeAll(async () => {
  consoles = await openConsole()
})
afterAll(() => consoles?.close())
afterEach(() => {
  setSystemTime()
})

/** From the gateway's own database. */
const rowsOf = (sql: string) => rowsIn(consoles.platform.kept('gateway'), sql)

const codeOf = ({ status, body }: Told) => [status, body?.error?.code]
const minute = 60_000
const later = (ms: number) => setSystemTime(new Date(Date.now() + ms))

/** What the identity manager was asked, from its own figures. */
async function refreshes(): Promise<number> {
  const text = await (await fetch(`${consoles.platform.url('identity-manager')}/metrics`)).text()
  const counts = text.split('\n').filter((line) => line.includes('/auth/refresh') && line.includes('_count'))
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

describe('refreshing', () => {
  test('many requests at a time use a refresh token once', async () => {
    const cookie = await consoles.logIn()
    for (let round = 0; round < 4; round++) {
      later(14.5 * minute)
      const before = await refreshes()
      const paths = Array.from({ length: 40 }, (_, i) => (i % 2 ? '/session' : '/core/v1/assets/1'))
      const answers = await Promise.all(paths.map((path) => consoles.ask(path, { cookie })))
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
      expect((await refreshes()) - before).toBe(1)
    }
  })

  test('sessions of one user do not disturb each other', async () => {
    const cookies = [await consoles.logIn(), await consoles.logIn()]
    later(16 * minute)
    for (const cookie of cookies) expect((await consoles.ask('/session', { cookie })).status).toBe(200)
  })

  test('a session whose refresh token somebody else has used ends', async () => {
    const cookie = await consoles.logIn()
    const id = new Bun.CryptoHasher('sha256').update(cookie.split('=')[1] ?? '').digest('base64url')
    const [row] = await rowsOf(`SELECT tokens FROM console_sessions WHERE id = '${id}'`)
    const secret = openInternalSecret(consoles.platform.dataDir, undefined)
    const sealed = deploymentSeal(secret, 'console sessions').open(String(row?.tokens), id)
    const thief = consoles.platform.to('identity-manager')
    const stolen = await thief.post('/auth/refresh', { refreshToken: JSON.parse(sealed).refreshToken })
    expect(stolen.status).toBe(200)
    later(16 * minute)
    expect((await consoles.ask('/session', { cookie })).status).toBe(401)
    // It is gone: no later request of it asks the identity manager again.
    expect(await rowsOf(`SELECT id FROM console_sessions WHERE id = '${id}'`)).toEqual([])
    expect((await thief.post('/auth/refresh', { refreshToken: stolen.body.data.refreshToken })).status).toBe(401)
  })
})

describe('while the identity manager is unavailable', () => {
  test('sessions last as long as their access token; then 503 until it is back', async () => {
    const cookie = await consoles.logIn()
    await consoles.platform.stop('identity-manager')
    try {
      expect((await consoles.ask('/core/v1/assets', { cookie })).status).toBe(200)
      expect(codeOf(await consoles.ask('/session', { body: admin }))).toEqual([503, 'SERVICE_UNAVAILABLE'])
      later(14.5 * minute)
      expect((await consoles.ask('/core/v1/assets', { cookie })).status).toBe(200)
      later(minute)
      expect(codeOf(await consoles.ask('/core/v1/assets', { cookie }))).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(codeOf(await consoles.ask('/session?everywhere=true', { method: 'DELETE', cookie }))).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
      ])
    } finally {
      await consoles.platform.start('identity-manager')
    }
    expect((await consoles.ask('/core/v1/assets', { cookie })).status).toBe(200)
  })

  test('a session that was revoked before stays ended', async () => {
    const [mine, other] = [await consoles.logIn(), await consoles.logIn()]
    const { sessionId } = (await consoles.ask('/session', { cookie: other })).body
    await consoles.ask(`/identity/v1/users/sessions/${sessionId}`, { method: 'DELETE', cookie: mine })
    await consoles.platform.settle()
    await consoles.platform.stop('identity-manager')
    try {
      expect(codeOf(await consoles.ask('/core/v1/assets', { cookie: other }))).toEqual([401, 'UNAUTHORIZED'])
    } finally {
      await consoles.platform.start('identity-manager')
    }
  })

  test('logging out works: the cookie is invalid', async () => {
    const cookie = await consoles.logIn()
    await consoles.platform.stop('identity-manager')
    try {
      expect((await consoles.ask('/session', { method: 'DELETE', cookie })).status).toBe(200)
      expect((await consoles.ask('/session', { cookie })).status).toBe(401)
    } finally {
      await consoles.platform.start('identity-manager')
    }
  })
})

test('a restart of the gateway keeps sessions', async () => {
  const cookie = await consoles.logIn()
  const before = (await consoles.ask('/session', { cookie })).body
  await consoles.platform.stop('gateway')
  await consoles.platform.start('gateway')
  expect((await consoles.ask('/session', { cookie })).body).toEqual(before)
})

test('a restore of the gateway’s database is an action without an actor', async () => {
  const cookie = await consoles.logIn()
  await consoles.platform.stop('gateway')
  await setBack(consoles.platform.kept('gateway'), 'gateway.run')
  await consoles.platform.start('gateway')
  const { body } = await consoles.ask(`/audit?action=${encodeURIComponent('START after a restore')}`, { cookie })
  expect(body).toMatchObject([{ door: 'start', actor: 'gateway', roles: [], session: null, status: 200, object: null }])
  const act = await consoles.ask(`/audit/${body[0].id}`, { cookie })
  expect(act.body.problem).toStartWith('The database was set back to an older state')
})

test('tokens and secrets are in no answer, and encrypted in the database', async () => {
  const told: Told[] = [await consoles.ask('/session', { body: admin })]
  const cookie = told[0]?.cookie ?? ''
  later(16 * minute)
  for (const path of ['/session', '/identity/v1/users/profile', '/identity/v1/users/sessions', '/identity/v1/users']) {
    told.push(await consoles.ask(path, { cookie }))
  }
  const change = { currentPassword: admin.password, newPassword: 'nine tall windmills' }
  const changed = await consoles.ask('/session/password', { cookie, body: change })
  told.push(changed)
  const back = { currentPassword: change.newPassword, newPassword: admin.password }
  told.push(await consoles.ask('/session/password', { cookie: changed.cookie, body: back }))
  for (const { text, status } of told) {
    expect(status).toBe(200)
    expect(text).not.toMatch(/eyJ[\w-]+\.|refreshToken|accessToken|changePasswordToken/)
  }
  const rows = JSON.stringify(await rowsOf('SELECT * FROM console_sessions'))
  const trail = JSON.stringify(await rowsOf('SELECT * FROM audit_trail'))
  for (const text of [rows, trail]) {
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/)
    expect(text).not.toContain(cookie.split('=')[1] ?? 'no cookie')
    expect(text).not.toContain('windmills')
    expect(text).not.toContain(admin.password)
  }
  expect(rows).toMatch(/"tokens":"v1\./)
})

describe('changing the password', () => {
  test('ends all sessions of the user, and begins a new one', async () => {
    const user = await consoles.member({ role: 'operator' })
    const [here, there] = [await consoles.logIn(user), await consoles.logIn(user)]
    const body = { currentPassword: user.password, newPassword: 'nine tall windmills' }
    const answer = await consoles.ask('/session/password', { cookie: here, body })
    expect([answer.status, answer.body.session.user.email]).toEqual([200, user.email])
    // By itself, before the identity manager has told.
    expect(await rowsOf(`SELECT id FROM console_sessions WHERE user_id = '${user.id}'`)).toHaveLength(1)
    for (const cookie of [here, there]) expect((await consoles.ask('/session', { cookie })).status).toBe(401)
    expect((await consoles.ask('/session', { cookie: answer.cookie })).status).toBe(200)
    expect((await consoles.ask('/session', { body: user })).status).toBe(401)
  })

  test('400 for a wrong current password and for a forbidden new one; the session goes on', async () => {
    const user = await consoles.member({ role: 'operator' })
    const cookie = await consoles.logIn(user)
    const wrong = { currentPassword: 'wrong', newPassword: 'nine tall windmills' }
    const refused = await consoles.ask('/session/password', { cookie, body: wrong })
    expect(codeOf(refused)).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.body.error.details).toEqual([{ field: 'currentPassword', message: 'The current password is wrong' }])
    const short = { currentPassword: user.password, newPassword: 'short' }
    const tooShort = await consoles.ask('/session/password', { cookie, body: short })
    expect(codeOf(tooShort)).toEqual([400, 'INVALID_REQUEST'])
    expect(tooShort.body.error.message).toContain('at least 12 characters')
    expect((await consoles.ask('/session', { cookie })).status).toBe(200)
  })

  test('403 PASSWORD_CHANGE_REQUIRED for everything else while the password was chosen by somebody else', async () => {
    const user = await consoles.member({ role: 'operator' })
    const manager = await consoles.logIn()
    const reset = await consoles.ask(`/identity/v1/users/${user.id}/password-reset`, {
      method: 'POST',
      cookie: manager,
    })
    expect([reset.status, reset.body.mustChangePassword]).toEqual([200, true])
    const session = await consoles.ask('/session', { body: user })
    expect([session.status, session.body.mustChangePassword]).toEqual([200, true])
    const { cookie } = session
    for (const path of ['/core/v1/assets', '/identity/v1/users/profile', '/none/v1/x']) {
      expect([path, ...codeOf(await consoles.ask(path, { cookie }))].slice(0, 2)).toEqual([
        path,
        path.startsWith('/none') ? 404 : 403,
      ])
    }
    expect(codeOf(await consoles.ask('/core/v1/assets', { cookie }))).toEqual([403, 'PASSWORD_CHANGE_REQUIRED'])
    const body = { currentPassword: user.password, newPassword: 'nine tall windmills' }
    const changed = await consoles.ask('/session/password', { cookie, body })
    expect([changed.status, changed.body.session.mustChangePassword]).toEqual([200, false])
    expect((await consoles.ask('/core/v1/assets', { cookie: changed.cookie })).status).toBe(200)
  })

  test('a forgotten password: the same answer for every address', async () => {
    const known = await consoles.ask('/session/forgot', { body: { email: admin.email } })
    const unknown = await consoles.ask('/session/forgot', { body: { email: 'nobody@bursar.example' } })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect(known.status).toBe(200)
  })
})

test('log-ins and log-outs stand in the audit trail, with the session and no secret', async () => {
  const answer = await consoles.ask('/session', { body: admin })
  const { sessionId, user } = answer.body
  await consoles.ask('/session', { method: 'DELETE', cookie: answer.cookie })
  const rows = await rowsOf(
    `SELECT door, actor, action, status FROM audit_trail WHERE session = '${sessionId}' AND step = 'answered' ORDER BY number`,
  )
  expect(rows).toEqual([
    { door: 'console', actor: user.id, action: 'POST /console/api/session', status: 200 },
    { door: 'console', actor: user.id, action: 'DELETE /console/api/session', status: 200 },
  ])
})

test('what is written to the log holds no secret', async () => {
  const { platform } = consoles
  await platform.stop('gateway')
  const gateway = Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts')], {
    env: { ...process.env, ...platform.env, LOG_LEVEL: 'debug', LOG_FORMAT: 'json' },
    stdout: 'pipe',
  })
  const written = new Response(gateway.stdout).text()
  const newPassword = 'nine tall windmills'
  const secrets = [admin.password, newPassword, 'a wrong password']
  try {
    await until(
      () =>
        fetch(`${consoles.url}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { what: 'the gateway' },
    )
    const cookie = await consoles.logIn()
    await consoles.ask('/session', { body: { ...admin, password: 'a wrong password' } })
    const change = { currentPassword: admin.password, newPassword }
    const changed = await consoles.ask('/session/password', { cookie, body: change })
    const back = { currentPassword: newPassword, newPassword: admin.password }
    const again = await consoles.ask('/session/password', { cookie: changed.cookie, body: back })
    await platform.stop('identity-manager')
    await consoles.ask('/session', { method: 'DELETE', cookie: again.cookie })
    secrets.push(...[cookie, changed.cookie, again.cookie].map((each) => (each ?? '').replace('__Host-session=', '')))
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await platform.start('identity-manager')
    await platform.start('gateway')
  }
  const log = await written
  for (const line of ['"path":"/console/api/session/password"', 'could not be asked to end a session']) {
    expect(log).toContain(line)
  }
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(log).not.toContain(secret)
  }
  expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/)
})
