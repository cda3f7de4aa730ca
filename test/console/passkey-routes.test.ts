// Passkeys through the console's routes, without a browser: what no page of ours would send is refused, too.
import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { openReadOnly } from '@bursar/store'
import { inOrder } from '@bursar/testing'
import { admin, age, openConsole, type TestConsole, type Told } from '../../services/gateway/test/console-harness'
import { echo } from '../../services/gateway/test/peers'
import { softAuthenticator } from '../../services/identity-manager/test/soft-authenticator'

const transaction = '01a1fe8f-0000-7000-8000-0000000000f1'
const origin = 'https://desk.bank.example'
const newKey = () => softAuthenticator(origin, 'desk.bank.example')
let consoles: TestConsole
beforeAll(async () => {
  const env = { ENVIRONMENT: 'production', AUTHORIZATION: 'roles', FOUR_EYES_USD: '1000', PUBLIC_URL: origin }
  consoles = await openConsole(env)
  consoles.core.answer(async (request) => {
    const isTerms = new URL(request.url).pathname.endsWith('/review')
    return isTerms ? Response.json({ required: 2, approvals: [] }) : await echo(request)
  })
})
afterAll(() => consoles?.close())

const codeOf = ({ status, body }: Told) => [status, body?.error?.code]
const mfa = '/identity/v1/users/mfa'

inOrder('an administrator in production with passkeys alone', (step) => {
  const [key, second] = [newKey(), newKey()]
  let cookie: string
  let recoveryCodes: string[]
  const ask = (path: string, body?: unknown) => consoles.ask(path, { body, cookie })
  const approve = () => ask(`/core/v1/transactions/${transaction}/approve-frozen-withdrawal`, {})
  const creation = async (proof: object = {}) =>
    (await ask(`${mfa}/passkeys/options`, { password: admin.password, ...proof })).body.data
  const ownOptions = async () => (await ask(`${mfa}/options`, {})).body.data
  const challenged = async (): Promise<string> => {
    const { body, cookie: none } = await consoles.ask('/session', { body: admin })
    expect([body.methods, none]).toEqual([['passkey'], null])
    return body.challenge
  }
  const optionsOf = async (challenge: string) =>
    (await consoles.ask('/session/code/options', { body: { challenge } })).body
  const finish = (challenge: string, passkey: object) => consoles.ask('/session/code', { body: { challenge, passkey } })

  step('adds its first one, and may do from then on what it may', async () => {
    cookie = await consoles.logIn()
    expect(codeOf(await approve())).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    const wrong = await ask('/session/passkeys', { name: 'Desk', response: key.create({ challenge: 'AAAA' }) })
    expect(codeOf(wrong)).toEqual([400, 'INVALID_REQUEST'])
    expect((await ask('/session')).body.mustEnrol).toBe(true)
    const nameless = await ask('/session/passkeys', { name: '', response: key.create(await creation()) })
    expect(nameless.status).toBe(400)
    const added = await ask('/session/passkeys', { name: 'Desk', response: key.create(await creation()) })
    expect([added.status, added.body.session.mustEnrol]).toEqual([200, false])
    recoveryCodes = added.body.recoveryCodes
    expect(recoveryCodes).toHaveLength(10)
    expect((await approve()).status).toBe(200)
  })

  step('logs in by it; what others or earlier log-ins have signed opens nothing', async () => {
    const challenge = await challenged()
    const ofOthers = { body: { challenge }, headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await consoles.ask('/session/code/options', ofOthers)).status).toBe(403)
    expect(codeOf(await finish(challenge, newKey().get(await optionsOf(challenge))))).toEqual([401, 'UNAUTHORIZED'])
    const signed = key.get(await optionsOf(challenge))
    const both = { challenge, passkey: signed, code: recoveryCodes[0] }
    expect((await consoles.ask('/session/code', { body: both })).status).toBe(400)
    const opened = await finish(challenge, signed)
    expect([opened.status, opened.body.mustEnrol]).toEqual([200, false])
    expect((await finish(challenge, signed)).status).toBe(401)
    const next = await challenged()
    await optionsOf(next)
    expect((await finish(next, signed)).status).toBe(401)
    expect((await consoles.ask('/session/code/options', { body: { challenge } })).status).toBe(401)
    cookie = opened.cookie ?? ''
    expect((await approve()).status).toBe(200)
  })

  step('signs anew for a large decision, some minutes later, each time', async () => {
    await age(consoles, cookie)
    expect(codeOf(await approve())).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    const challenge = await challenged()
    const forLogIn = key.get(await optionsOf(challenge))
    await ownOptions()
    const refused = await ask('/session/verify', { passkey: forLogIn })
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: 'passkey' }]])
    expect((await ask('/session/verify', {})).status).toBe(400)
    expect(codeOf(await approve())).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    const signed = key.get(await ownOptions())
    expect((await ask('/session/verify', { passkey: signed })).status).toBe(200)
    expect((await approve()).status).toBe(200)
    await age(consoles, cookie)
    expect((await ask('/session/verify', { passkey: signed })).status).toBe(400)
    expect(codeOf(await approve())).toEqual([403, 'SECOND_FACTOR_NEEDED'])
  })

  step('adds a second one by the first, and removes the first by the second', async () => {
    const none = await ask(`${mfa}/passkeys/options`, { password: admin.password })
    expect(none.status).toBe(400)
    const options = await creation({ passkey: key.get(await ownOptions()) })
    const added = await ask('/session/passkeys', { name: 'Spare', response: second.create(options) })
    expect([added.status, added.body.recoveryCodes]).toEqual([200, null])
    expect((await approve()).status).toBe(200)
    const remove = async (by: typeof key) =>
      (
        await ask(`${mfa}/passkeys/${key.id}/remove`, {
          password: admin.password,
          passkey: by.get(await ownOptions()),
        })
      ).status
    expect([await remove(newKey()), await remove(second), await remove(key)]).toEqual([401, 200, 401])
    const challenge = await challenged()
    expect((await finish(challenge, key.get(await optionsOf(challenge)))).status).toBe(401)
    const lost = await consoles.ask('/session/code', { body: { challenge, code: recoveryCodes[1] } })
    expect(lost.status).toBe(200)
  })

  step('all of it stands in the audit trail, without what opens anything', async () => {
    const database = openReadOnly(join(consoles.platform.dataDir, 'gateway.sqlite'))
    const rows = database.rows('SELECT action, status, detail FROM audit_trail') as {
      action: string
      status: number | null
      detail: string
    }[]
    database.close()
    const ended = rows.filter(({ status }) => status !== null).map(({ action, status }) => `${action} ${status}`)
    for (const row of [
      'POST /users/mfa/passkeys/options 200',
      'POST /users/mfa/passkeys 201',
      'POST /users/mfa/passkeys 400',
      'POST /users/mfa/verify 200',
      'POST /users/mfa/verify 401',
      'POST /users/mfa/passkeys/:passkeyId/remove 200',
    ]) {
      expect(ended).toContain(row)
    }
    expect(ended.some((row) => row.startsWith('POST /users/mfa/options'))).toBe(false)
    const logIns = rows.filter(({ action, status }) => action === 'POST /console/api/session' && status === null)
    expect(logIns.map(({ detail }) => JSON.parse(detail).request.by)).toEqual(['password', 'passkey', 'code'])
    const all = JSON.stringify(rows)
    expect(all).toContain('Spare')
    for (const secret of [...recoveryCodes, admin.password, 'clientDataJSON', 'attestationObject']) {
      expect(all).not.toContain(secret)
    }
  })
})
