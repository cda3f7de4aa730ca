import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { Window } from 'happy-dom'

const admin = { email: 'admin@bursar.example', password: 'seven grey herons at dawn' }
const newPassword = 'nine quiet lanterns by the harbour'
let platform: TestPlatform
let url: string
beforeAll(async () => {
  platform = await testPlatform(['gateway', 'identity-manager'], {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_LOGIN: '1000',
  })
  url = platform.url('gateway')
})
afterAll(() => platform?.close())

/** The window runs our own page alone. */
const settings = { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true }

interface Sent {
  method: string
  path: string
  body: string
}

/** The page in a browser window; its requests go to the real gateway, and are noted. */
async function open(page: string, fragment: string) {
  const window = new Window({ url: `${url}/${page}${fragment}`, settings })
  const sent: Sent[] = []
  let isAway = false
  const toGateway = async (path: string, init: { method: string; body: string; headers: Record<string, string> }) => {
    sent.push({ method: init.method, path, body: init.body })
    if (isAway) throw new TypeError('Failed to fetch')
    return await fetch(new URL(path, url), { ...init, headers: { ...init.headers, origin: url } })
  }
  Object.assign(window, { fetch: toGateway })
  const text = await (await fetch(`${url}/${page}`)).text()
  window.document.write(text)
  const element = (selector: string) => {
    const found = window.document.querySelector(selector)
    if (!found) throw new Error(`The page has no ${selector}`)
    return found
  }
  const isShown = (selector: string) => !element(selector).hasAttribute('hidden')
  return {
    window,
    sent,
    isShown,
    message: () => element('#message').textContent,
    goAway: () => {
      isAway = true
    },
    type: (name: string, value: string) => element(`input[name=${name}]`).setAttribute('value', value),
    /** Sends the form, and waits until the page has reacted. */
    async submit() {
      element('form').dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }))
      await until(() => !element('button').hasAttribute('disabled'), { what: 'the page to react' })
    },
  }
}

async function opened(page: string, token: string, password = newPassword, again = password) {
  const shown = await open(page, `#${token}`)
  shown.type('password', password)
  shown.type('again', again)
  return shown
}

const gateway = () => platform.to('gateway', '')
const logIn = async (password: string) =>
  await gateway().post('/identity/v1/auth/login', { email: admin.email, password })

/** The link of the newest mail to the administrator. */
async function mailedToken(page: string): Promise<string> {
  const folder = join(platform.dataDir, 'mail')
  const link = new RegExp(`/${page}#([\\w-]+)$`, 'm')
  const tokens = () =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith('.eml'))
      .map((name) => link.exec(readFileSync(join(folder, name), 'utf8'))?.[1])
      .filter((token) => token !== undefined)
  await until(() => tokens().length > 0, { what: 'the mail' })
  return tokens().at(-1) ?? ''
}

describe.each(['change-password', 'reset-password'])('GET /%s', (page) => {
  test('is one page without other files, and its policy allows only its own script', async () => {
    const response = await fetch(`${url}/${page}`)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    for (const tag of ['script', 'style']) {
      const inside = [...text.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, own = '']) => own)
      const hashes = inside.map((own) => new Bun.CryptoHasher('sha256').update(own).digest('base64'))
      expect(hashes).toHaveLength(1)
      expect(policy).toContain(`${tag}-src 'sha256-${hashes[0]}'`)
    }
    expect(text).not.toMatch(/\ssrc=|\son\w+=|\sstyle=|rel="stylesheet"/)
  })

  test('without a token it says so, and has no form', async () => {
    const { isShown, message, sent } = await open(page, '')
    expect(isShown('#form')).toBe(false)
    expect(message()).toContain('This link is not complete')
    const twisted = await open(page, '#../../users?x=')
    expect(twisted.isShown('#form')).toBe(false)
    expect(sent).toEqual([])
  })

  test('two passwords that differ are not sent', async () => {
    const shown = await opened(page, 'token', newPassword, `${newPassword}!`)
    await shown.submit()
    expect([shown.message(), shown.sent]).toEqual(['The two passwords are not the same.', []])
  })

  test('an invalid token: it says what to do, and the form stays', async () => {
    const shown = await opened(page, 'never-was-one')
    expect(shown.message()).toBe('')
    await shown.submit()
    expect(shown.sent).toEqual([
      {
        method: 'POST',
        path: `/identity/v1/auth/${page}/never-was-one`,
        body: JSON.stringify({ password: newPassword }),
      },
    ])
    expect(shown.message()).toContain('This link is no longer valid')
    expect([shown.isShown('#form'), shown.isShown('#done')]).toEqual([true, false])
  })

  test('the server cannot be reached: it says so', async () => {
    const shown = await opened(page, 'token')
    shown.goAway()
    await shown.submit()
    expect(shown.message()).toBe('The server cannot be reached. Try again in a moment.')
  })
})

inOrder('with the tokens of the identity manager', (step) => {
  step('the link of a mail sets a new password, once, and leaves the address', async () => {
    await gateway().post('/identity/v1/auth/forgot-password', { email: admin.email })
    const token = await mailedToken('reset-password')
    const weak = await opened('reset-password', token, 'too short')
    await weak.submit()
    expect(weak.message()).toBe('password must be at least 12 characters long')
    const shown = await opened('reset-password', token)
    await shown.submit()
    expect([shown.message(), shown.isShown('#form'), shown.isShown('#done')]).toEqual(['', false, true])
    expect(shown.window.location.href).toBe(`${url}/reset-password`)
    expect([(await logIn(newPassword)).status, (await logIn(admin.password)).status]).toEqual([200, 401])
    const used = await opened('reset-password', token)
    await used.submit()
    expect(used.message()).toContain('This link is no longer valid')
  })

  step('a token that a user asked for itself: the page asks for the password so far', async () => {
    const { accessToken } = (await logIn(newPassword)).body.data
    const headers = { authorization: `Bearer ${accessToken}` }
    const made = await gateway().post('/identity/v1/users/change-password-token', {}, headers)
    const shown = await opened('change-password', made.body.changePasswordToken, admin.password)
    expect(shown.isShown('#current')).toBe(false)
    await shown.submit()
    expect([shown.isShown('#current'), shown.message()]).toEqual([true, 'Your current password is needed too.'])
    shown.type('currentPassword', 'not the right password')
    await shown.submit()
    expect(shown.message()).toBe('The current password is wrong')
    shown.type('currentPassword', newPassword)
    await shown.submit()
    expect([shown.message(), shown.isShown('#done')]).toEqual(['', true])
    expect((await logIn(admin.password)).status).toBe(200)
  })
})
