import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fixedClock, freePort, until } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { createMailTransport, type MailTransport } from '../src/mail/mail-transport'
import { startSending } from '../src/mail/sending'
import { sweep } from '../src/sweep'
import { openService, roleIds, sendDue, type TestIdentityManager } from './harness'
import { type TestSmtp, testSmtp } from './smtp'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function withSmtp(server: TestSmtp | { port: number }, { user = '', env = {} } = {}) {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  const settings = { SMTP_URL: `smtp://${user}127.0.0.1:${server.port}`, MAIL_FROM: 'no-reply@bank.example', ...env }
  const service = await openService({ env: settings, now: clock })
  const transport = createMailTransport(service.deps.config)
  closing.push(
    () => service.close(),
    () => transport.close(),
  )
  return { clock, service, transport, send: () => sendDue(service.deps, transport) }
}
async function smtp(options = {}): Promise<TestSmtp> {
  const server = await testSmtp(options)
  closing.push(() => server.stop())
  return server
}
let made = 0
const invite = (service: TestIdentityManager, name = 'Some Body') =>
  service.create('/users', { email: `mailed-${++made}@bank.example`, name, roleId: roleIds.viewer })

/** What a mail says, as a mail program shows it. */
const textOf = (message: string): string => {
  const [head = '', ...body] = message.replaceAll('\r\n', '\n').split('\n\n')
  const text = body.join('\n\n')
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return text
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

describe('with an SMTP server', () => {
  test('a mail arrives, and the token in it sets the password', async () => {
    const server = await smtp()
    const { service, send } = await withSmtp(server, { env: { PUBLIC_URL: 'https://bursar.example/' } })
    const { email } = await invite(service, 'Jörg "Bcc: x@y" Müller')
    await send()
    expect(server.received).toHaveLength(1)
    const [{ from, to, message }] = server.received as [TestSmtp['received'][0]]
    expect([from, to]).toEqual(['no-reply@bank.example', [email]])
    expect(message).toMatch(/^From: Bursar <no-reply@bank\.example>\r$/m)
    expect(message).toMatch(/^Message-ID: <[0-9a-f-]{36}@bank\.example>\r$/m)
    expect(message).not.toMatch(/^Bcc:/m)
    const text = textOf(message)
    expect(text).toContain('Hello Jörg "Bcc: x@y" Müller,')
    const [, token] = /https:\/\/bursar\.example\/change-password#([\w-]+)/.exec(text) ?? []
    const answer = await service.post(`/auth/change-password/${token}`, { password: 'nineteen quiet otters' })
    expect(answer.status).toBe(200)
  })

  test('each is sent once, and its text deleted', async () => {
    const server = await smtp()
    const { service, send } = await withSmtp(server)
    for (let i = 0; i < 5; i++) await invite(service)
    await Promise.all([send(), send(), send()])
    await send()
    expect(server.received.map(({ to }) => to[0])).toHaveLength(5)
    expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(5)
    const { body } = await lastMail(service)
    expect(body).toBeNull()
  })

  test('a refusal is retried, with growing pauses, with the same message id', async () => {
    const server = await smtp()
    server.refuse({ code: 451, words: 'try later' }, { code: 550, words: 'mailbox unavailable' })
    const { clock, service, send } = await withSmtp(server)
    await invite(service)
    await send()
    expect(await lastMail(service)).toMatchObject({ attempts: 1, lastError: expect.stringContaining('try later') })
    await send()
    clock.advance(4999)
    await send()
    expect(await lastMail(service)).toMatchObject({ attempts: 1 })
    clock.advance(1)
    await send()
    expect(await lastMail(service)).toMatchObject({ attempts: 2 })
    clock.advance(10_000)
    await send()
    expect(server.received).toHaveLength(1)
  })

  test('an unreachable server is retried, at least every quarter of an hour', async () => {
    const port = await freePort()
    const { clock, service, send } = await withSmtp({ port })
    await invite(service)
    for (let i = 0; i < 12; i++) {
      await send()
      clock.advance(15 * minuteMs)
    }
    const { attempts, dueAt } = await lastMail(service)
    expect(attempts).toBe(12)
    expect(dueAt?.getTime()).toBe(clock().getTime())
  })

  test('while none can be sent the health says so; one that is refused alone, while later ones are sent, is not told', async () => {
    const server = await smtp()
    const { clock, service, send } = await withSmtp(server)
    const told = async () => (await service.get('/health')).body.waiting ?? []
    const refuse = () => server.refuse({ code: 550, words: 'mailbox unavailable' })
    await invite(service)
    for (let i = 0; i < 6; i++) {
      expect(await told()).toEqual([])
      refuse()
      await send()
      clock.advance(15 * minuteMs)
    }
    expect(await told()).toEqual([expect.stringContaining('1 waits, the oldest since 2026-03-01T12:00:00.000Z')])
    await invite(service)
    refuse()
    await send()
    expect([server.received.length, await told()]).toEqual([1, []])
  })

  test('a mail is given up when its content is useless', async () => {
    const { clock, service, send } = await withSmtp({ port: await freePort() })
    await invite(service)
    await send()
    clock.advance(7 * dayMs)
    await send()
    expect(await lastMail(service)).toMatchObject({
      body: null,
      dueAt: null,
      sentAt: null,
      lastError: 'not sent in time',
    })
  })

  test('a wrong password is a failure that is retried; the right one is sent', async () => {
    const server = await smtp({ authOptional: false, allowInsecureAuth: true })
    const wrong = await withSmtp(server, { user: 'bursar:wrong@' })
    await invite(wrong.service)
    await wrong.send()
    expect(await lastMail(wrong.service)).toMatchObject({ attempts: 1 })
    const right = await withSmtp(server, { user: 'bursar:secret@' })
    await invite(right.service)
    await right.send()
    expect(server.received.map(({ user }) => user)).toEqual(['bursar'])
  })

  test('a mail claimed by a worker that died is sent when its lease expires', async () => {
    const server = await smtp()
    const { clock, service, send } = await withSmtp(server)
    await invite(service)
    const dead: MailTransport = { send: () => new Promise(() => {}), check: async () => {}, close: () => {} }
    void sendDue(service.deps, dead)
    await until(async () => (await lastMail(service)).leasedUntil !== null)
    await send()
    expect(server.received).toHaveLength(0)
    clock.advance(minuteMs)
    await send()
    expect(server.received).toHaveLength(1)
  })

  test('a clock that was ahead delays no mail', async () => {
    const server = await smtp()
    const { clock, service, send } = await withSmtp(server)
    server.refuse({ code: 451, words: 'try later' })
    clock.advance(dayMs)
    await invite(service)
    await send()
    clock.advance(-dayMs)
    await send()
    expect(server.received).toHaveLength(1)
  })

  test('the worker sends without being triggered, and stops', async () => {
    const server = await smtp()
    const { service, transport } = await withSmtp(server)
    const worker = startSending(service.deps, transport)
    await invite(service)
    await until(() => server.received.length === 1)
    await worker.stop()
  })
})

test('a server that offers no encryption gets no mail, unless it is on this machine or the URL says so', async () => {
  const server = await smtp({ disabledCommands: ['STARTTLS'], hideSTARTTLS: true })
  const local = createMailTransport((await settings(`smtp://localhost:${server.port}`)).deps.config)
  const mail = { id: 'a', recipient: 'a@bank.example', subject: 'x', body: 'y' }
  await local.send(mail)
  expect(server.received).toHaveLength(1)
  // Not the loopback by its name, though it leads there.
  const url = `smtp://0.0.0.0:${server.port}`
  const other = createMailTransport((await settings(url)).deps.config)
  expect(other.send(mail)).rejects.toThrow(/TLS/i)
  const open = createMailTransport((await settings(`${url}?requireTLS=false`)).deps.config)
  await open.send(mail)
  expect(server.received).toHaveLength(2)
})

test('over a network mails are encrypted, and the certificate of the server must hold', async () => {
  // The server's own certificate has expired.
  const server = await smtp()
  const mail = { id: 'a', recipient: 'a@bank.example', subject: 'x', body: 'y' }
  const url = `smtp://0.0.0.0:${server.port}`
  const strict = createMailTransport((await settings(url)).deps.config)
  expect(strict.send(mail)).rejects.toThrow(/certificate/)
  const lenient = createMailTransport((await settings(`${url}?tls.rejectUnauthorized=false`)).deps.config)
  await lenient.send(mail)
  expect(server.received.map(({ secure }) => secure)).toEqual([true])
})

async function settings(url: string) {
  const service = await openService({ env: { SMTP_URL: url } })
  closing.push(() => service.close())
  return service
}

describe('without an SMTP server', () => {
  test('mails are files for their owner alone', async () => {
    const service = await openService()
    closing.push(() => service.close())
    const { email } = await invite(service)
    const [mail] = await service.mailsTo(email)
    const folder = join(service.dataDir, 'mail')
    const [name = ''] = readdirSync(folder)
    expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(String(mail))
    // As it is: an operator copies the link out of the file.
    expect(mail).toMatch(/^http:\/\/127\.0\.0\.1:4000\/change-password#[\w-]{32}\r?$/m)
  })
})

test.each([
  ['a web address', 'Your account is locked http://evil.example/unlock'],
  ['an address without its scheme', 'Visit evil.example'],
  ['one behind the dot of another script', 'evil\u3002example'],
  ['one that only a browser completes', 'Go to //127.1/x'],
  ['a whole text', 'Call us at once on 555 0100 and have your password ready for our agents'],
])('mails do not carry %s that somebody gave as a name', async (_, name) => {
  const service = await openService()
  closing.push(() => service.close())
  const { id, email } = await invite(service, name)
  const password = 'nineteen quiet otters'
  await service.post(`/auth/change-password/${await service.tokenFor(email)}`, { password })
  await service.post('/auth/forgot-password', { email })
  await service.post(`/auth/reset-password/${await service.tokenFor(email)}`, { password })
  await service.put(`/users/${id}`, { email: 'elsewhere@bank.example' })
  const mails = (await service.mailsTo(email)).map(textOf)
  expect(mails).toHaveLength(4)
  for (const mail of mails) expect([mail.slice(0, 8), mail.includes(name)]).toEqual(['Hello,\n\n', false])
})

test.each(['J.P. Morgan & Co', 'St. Gallen 3.0', 'x'.repeat(69)])('a mail greets %s', async (name) => {
  const service = await openService()
  closing.push(() => service.close())
  const [mail = ''] = await service.mailsTo((await invite(service, name)).email)
  expect(textOf(mail)).toStartWith(`Hello ${name},\n`)
})

test('until a mail is sent its text is encrypted in the database', async () => {
  const service = await openService()
  closing.push(() => service.close())
  await service.create('/users', { email: 'sealed@bank.example', name: 'Sealed Text', roleId: roleIds.viewer })
  const stored = await storedText(service)
  expect(stored).toContain('sealed@bank.example')
  expect(stored).not.toContain('Hello Sealed Text')
  expect(stored).not.toContain('change-password#')
})

test('mails that were sent are deleted after thirty days', async () => {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  const service = await openService({ now: clock })
  closing.push(() => service.close())
  const { email } = await invite(service)
  await service.mailsTo(email)
  clock.advance(30 * dayMs)
  await sweep(service.deps)
  expect((await lastMail(service)).sentAt).toEqual(new Date('2026-03-01T12:00:00.000Z'))
  clock.advance(1)
  await sweep(service.deps)
  expect(lastMail(service)).rejects.toThrow('There is no mail')
})

/** The newest mail in the database. */
async function lastMail(service: TestIdentityManager) {
  const { mails } = await import('../src/mail/mails.table')
  const row = (await service.store.read.select().from(mails)).at(-1)
  if (!row) throw new Error('There is no mail')
  return row
}
