import { afterEach, describe, expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { config } from '../src/config'
import { openService, type TestIdentityManager } from './harness'

const open: TestIdentityManager[] = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})
async function started(env: Record<string, string>, dataDir = tempDir()) {
  const shown: [string, string, string][] = []
  const service = await openService({ env, dataDir, show: (...given) => void shown.push(given) })
  open.push(service)
  return { service, shown, dataDir }
}

describe('the first administrator', () => {
  test('comes from ADMIN_EMAIL and ADMIN_PASSWORD, and nothing is shown', async () => {
    const { service, shown } = await started({ ADMIN_EMAIL: 'boss@bank.example', ADMIN_PASSWORD: 'eleven slow trains' })
    const { status, body } = await service.logIn('boss@bank.example', 'eleven slow trains')
    expect([status, body.data.user.roles, shown]).toEqual([200, ['admin'], []])
  })

  test('without a password gets one, which is shown once and not stored', async () => {
    const { service, shown, dataDir } = await started({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })
    const [[email = '', password = '', console = ''] = []] = shown
    expect([email, console, shown.length]).toEqual(['admin@localhost', 'http://127.0.0.1:4000/console', 1])
    expect(password).toMatch(/^[\w-]{24}$/)
    expect((await service.logIn(email, password)).status).toBe(200)
    await service.close()
    open.pop()
    for (const file of new Bun.Glob('**/*').scanSync({ cwd: dataDir, absolute: true, dot: true })) {
      expect(await Bun.file(file).text()).not.toContain(password)
    }
    const again = await started({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }, dataDir)
    expect(again.shown).toEqual([])
    expect((await again.service.logIn(email, password)).status).toBe(200)
  })

  test('must change a generated password, but not a configured one', async () => {
    const { service, shown } = await started({
      ADMIN_EMAIL: '',
      ADMIN_PASSWORD: '',
      PUBLIC_URL: 'https://desk.example/',
    })
    expect(shown[0]?.[2]).toBe('https://desk.example/console')
    const [made] = (await service.get('/users')).body.data
    expect(made.mustChangePassword).toBeTrue()
    const { service: other } = await started({})
    const [given] = (await other.get('/users')).body.data
    expect(given.mustChangePassword).toBeFalse()
  })

  test('is created at the first start only: later settings change nothing', async () => {
    const { service, dataDir } = await started({})
    const { total } = (await service.get('/users')).body.pageInfo
    await service.close()
    open.pop()
    const again = await started({ ADMIN_EMAIL: 'other@bank.example', ADMIN_PASSWORD: 'eleven slow trains' }, dataDir)
    expect((await again.service.get('/users')).body.pageInfo.total).toBe(total)
    expect((await again.service.logIn('other@bank.example', 'eleven slow trains')).status).toBe(401)
  })
})

describe('settings that cannot be used', () => {
  test.each([
    [{ ADMIN_EMAIL: 'boss' }, 'ADMIN_EMAIL must be an e-mail address, not "boss"'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must be at least 12 characters long'],
    [{ ADMIN_PASSWORD: 'password1234' }, 'ADMIN_PASSWORD is one that others guess: choose another'],
    [{ MAIL_FROM: 'Bursar <a@b>' }, 'MAIL_FROM must be an e-mail address, not "Bursar <a@b>"'],
    [{ SMTP_URL: 'http://user:secret@x' }, 'SMTP_URL must be a URL that begins with smtp:// or smtps://'],
    [{ PUBLIC_URL: 'bursar.example' }, 'PUBLIC_URL must be a URL that begins with http:// or https://'],
    [{ IDENTITY_SESSION_DAYS: '0' }, 'IDENTITY_SESSION_DAYS must be a whole number from 1 to 365, not "0"'],
    [{ IDENTITY_KEY_DAYS: 'x' }, 'IDENTITY_KEY_DAYS must be a whole number from 1 to 3650, not "x"'],
  ])('%j', (env, message) => {
    expect(() => config(env)).toThrow(message)
  })

  test('the key is 32 bytes', async () => {
    expect(openService({ env: { IDENTITY_SECRET_KEY: 'c2hvcnQ=' } })).rejects.toThrow(
      'IDENTITY_SECRET_KEY must hold 32 bytes',
    )
  })
})
