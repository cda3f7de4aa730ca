// `bun run listen` and `bun run trigger`, as an institution's developer runs them.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Bursar } from '@bursar/client'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { Webhook } from 'standardwebhooks'
import { pollDeliveries } from '../../scripts/webhooks/poll'
import { startCommand } from '../commands'

const key = 'sk_test_listening'
let platform: TestPlatform
let institution: string
let program: LocalServer

beforeAll(async () => {
  const names = ['gateway', 'identity-manager', 'main-api', 'participant', 'customer', 'account', 'webhook'] as const
  const settings = {
    ...{ AUTHORIZATION: 'roles', OUTBOUND_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SCHEDULE: '1h' },
    ADMIN_PASSWORD: 'an administrator of the tests',
  }
  platform = await testPlatform(names, settings)
  const body = { institutionName: 'Listening', authConsumerId: key, customers: [] }
  institution = (await platform.to('participant').create<{ id: string }>('/participants', body)).id
  program = localServer(() => new Response('taken', { status: 202 }))
})
afterAll(async () => {
  await program?.stop()
  await platform?.close()
})

function start(script: string, args: string[], apiKey = key, more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...(apiKey && { BURSAR_API_KEY: apiKey }), ...more }
  return startCommand(script, [...args, '--gateway', platform.url('gateway')], { env })
}

async function ended(script: string, args: string[], apiKey = key) {
  const child = await start(script, args, apiKey)
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, error, code }
}

/** What a program has said so far. */
function saidBy(child: Awaited<ReturnType<typeof start>>): () => string {
  let said = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) said += decoder.decode(chunk)
  }
  read().catch(() => {})
  return () => said
}

const addresses = async () =>
  (
    await platform.to('gateway', '/webhook/v1').get<{ url: string }[]>('/webhooks/endpoints', { 'x-api-key': key })
  ).body.map(({ url }) => url)

test('an event that is triggered reaches the program, with a signature that it can verify', async () => {
  const listener = await start('listen', [program.url, '--institution', institution, '--events', 'payment.*'])
  const said = saidBy(listener)
  try {
    await until(() => said().includes('Their secret: '), { what: 'the listener' })
    const [, secret = ''] = /Their secret: (whsec_\S+)/.exec(said()) ?? []

    const sent = await ended('trigger', ['payment.executed'])
    expect(sent).toMatchObject({ code: 0, error: '' })
    expect(sent.out).toMatch(/^payment\.executed to http:\S+: answered with 202 \(delivery \S+\)\n$/)
    const [request] = program.requests
    const headers = Object.fromEntries(request?.headers ?? [])
    const event = new Webhook(secret).verify(request?.body ?? '', headers)
    expect(event).toMatchObject({ type: 'payment.executed', test: true, data: { status: 'COMPLETED' } })
    expect(sent.out).toContain(headers['webhook-id'] ?? 'none')
    await until(() => /Z {2}payment\.executed {2}\S+ {2}202\n/.test(said()), { what: 'its line' })

    expect(await ended('trigger', ['sanctions.hit'])).toMatchObject({
      code: 1,
      error: 'No enabled endpoint takes sanctions.hit: register one, or name one by --endpoint\n',
    })

    program.answer(() => new Response('broken', { status: 500 }))
    const failed = await ended('trigger', ['payment.created'])
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('failed: ')])

    const address = /from (\S+) to/.exec(said())?.[1] ?? ''
    const forged = await fetch(address, { method: 'POST', headers, body: `${request?.body} ` })
    expect([forged.status, program.requests.length]).toEqual([400, 2])

    await program.stop()
    expect((await ended('trigger', ['payment.rejected'])).code).toBe(1)
    await until(() => said().includes(`no answer from ${program.url}`), { what: 'its line' })
    expect(await addresses()).toContain(address)
  } finally {
    listener.kill('SIGINT')
  }
  expect(await listener.exited).toBe(0)
  expect(said()).toContain('The endpoint is deleted\n')
  expect(await addresses()).not.toContain(/from (\S+) to/.exec(said())?.[1])
})

test('deliveries of an endpoint are asked for, and signed by its secret, each once', async () => {
  const own = localServer(() => new Response('taken'))
  const desk = localServer(() => new Response('seen'))
  const gateway = platform.to('gateway', '/webhook/v1')
  const body = { participantId: institution, url: own.url, eventTypes: ['sanctions.failed'] }
  const { id, secret } = await gateway.create<{ id: string; secret: string }>('/webhooks/endpoints', body, {
    'x-api-key': key,
  })
  const elsewhere = { participantId: institution, url: own.url, eventTypes: ['sanctions.hit'] }
  const { id: other } = await gateway.create<{ id: string }>('/webhooks/endpoints', elsewhere, { 'x-api-key': key })
  expect((await ended('trigger', ['sanctions.failed'])).code).toBe(0)
  const listener = await start('listen', [desk.url, '--endpoint', id], key, { WEBHOOK_SECRET: secret })
  const said = saidBy(listener)
  try {
    await until(() => said().includes(`Deliveries of endpoint ${id} go to`), {
      what: 'the listener',
    })
    await gateway.post(`/webhooks/endpoints/${other}/test`, {}, { 'x-api-key': key })
    for (let sent = 1; sent <= 2; sent++) {
      expect((await ended('trigger', ['sanctions.failed'])).code).toBe(0)
      await until(() => desk.requests.length === sent, { what: `delivery ${sent}` })
    }
    const ids = desk.requests.map(({ headers, body }) => {
      const given = Object.fromEntries(headers)
      expect(new Webhook(secret).verify(body, given)).toMatchObject({ type: 'sanctions.failed', test: true })
      return given['webhook-id']
    })
    const sent = own.requests.filter(({ body }) => body.includes('sanctions.failed')).slice(1)
    expect(ids).toEqual(sent.map(({ headers }) => headers.get('webhook-id') ?? ''))
    await until(() => said().split(' sanctions.failed ').length === 3, { what: 'its lines' })
  } finally {
    listener.kill('SIGINT')
    for (const each of [id, other])
      await gateway.ask('DELETE', `/webhooks/endpoints/${each}`, undefined, { 'x-api-key': key })
  }
  expect(await listener.exited).toBe(0)
  await Promise.all([own.stop(), desk.stop()])
})

/** Asks a list of deliveries that the test gives. */
function polling(deliveries: () => AsyncGenerator<{ deliveryId: string }>) {
  const ending = new AbortController()
  const asked = { list: deliveries } as unknown as Bursar
  const settings = {
    bursar: asked,
    endpointId: 'e',
    secret: 'whsec_c2VjcmV0',
    to: 'http://127.0.0.1:9/',
    say: () => {},
  }
  return { ending, ended: pollDeliveries({ ...settings, signal: ending.signal }) }
}

test('a look ends after a hundred known deliveries', async () => {
  let read = 0
  const { ending, ended } = polling(async function* () {
    for (let index = 0; index < 1000; index++) {
      read += 1
      yield { deliveryId: `d-${index}` }
    }
  })
  await until(() => read >= 1100)
  ending.abort()
  await ended
  expect([read % 100, read < 2000]).toEqual([0, true])
})

test('a look that fails ends it with the error, unless it was to end', async () => {
  const { ended } = polling(() => {
    throw new Error('away')
  })
  await expect(ended).rejects.toThrow('away')
  const looks: (() => void)[] = []
  const second = polling(async function* () {
    await new Promise<void>((resolve) => looks.push(resolve))
    throw new Error('aborted')
  })
  await until(() => looks.length === 1)
  second.ending.abort()
  looks[0]?.()
  await second.ended
})

test('an endpoint that is disabled gets nothing', async () => {
  const gone = localServer(() => new Response(null, { status: 410 }))
  const gateway = platform.to('gateway', '/webhook/v1')
  const body = { participantId: institution, url: gone.url, eventTypes: ['message.*'] }
  const { id } = await gateway.create<{ id: string }>('/webhooks/endpoints', body, { 'x-api-key': key })
  try {
    expect((await ended('trigger', ['message.created'])).code).toBe(1)
    expect((await ended('trigger', ['message.created'])).error).toStartWith('No enabled endpoint takes message.created')
    expect(gone.requests).toHaveLength(1)
  } finally {
    await gateway.ask('DELETE', `/webhooks/endpoints/${id}`, undefined, { 'x-api-key': key })
    await gone.stop()
  }
})

test('what cannot be done is told in a sentence', async () => {
  expect((await ended('trigger', ['--help'])).out).toContain('Types: message.created, ')
  expect((await ended('listen', ['--help'])).out).toContain('--public-url')
  const refusals: [script: string, args: string[], says: string][] = [
    ['trigger', ['payment.unknown'], 'payment.unknown is not a type of event. See bun run trigger --help\n'],
    ['trigger', [], 'Nothing is not a type of event'],
    ['trigger', ['payment.created', '--endpoint', Bun.randomUUIDv7()], 'Endpoint not found (request '],
    ['listen', [], 'The address of the program is missing'],
    ['listen', ['http://127.0.0.1:9/'], 'Give --institution or --endpoint'],
    ['listen', ['http://127.0.0.1:9/', '--institution', institution, '--endpoint', 'x'], 'Give --institution or'],
    ['listen', ['http://127.0.0.1:9/', '--endpoint', Bun.randomUUIDv7()], 'WEBHOOK_SECRET is missing'],
    ['listen', ['http://127.0.0.1:9/', '--institution', Bun.randomUUIDv7()], 'Participant not found (request '],
    ['listen', ['http://127.0.0.1:9/', '--institution', institution, '--events', 'nothing'], 'eventTypes'],
    ['listen', ['http://127.0.0.1:9/', '--institution', institution, '--port', 'x'], '--port is a number'],
    ['listen', ['http://127.0.0.1:9/', '--sideways'], 'There is no option --sideways'],
  ]
  for (const [script, args, says] of refusals) {
    const { code, error } = await ended(script, args)
    expect([args, code, error]).toEqual([args, 1, expect.stringContaining(says)])
  }
  expect((await ended('trigger', ['payment.created'], '')).error).toContain('BURSAR_API_KEY is missing')
  expect((await ended('trigger', ['payment.created'], 'sk_test_wrong')).error).toContain('(request ')
})
