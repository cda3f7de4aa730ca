// `bun run rotate` under load: the services go on, no request is refused, and afterwards nothing is sealed by the keys before.

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyLines } from '@bursar/http/key-file'
import { freePort, tempDir, until } from '@bursar/testing'
import { lineOfServices } from '../commands'
import { type ProcessStack, runOn, startProcesses, underLoad } from '../deploy/process-stack'

let stack: ProcessStack
let headers: Record<string, string>
let folder: string
/** An institution's key, and its endpoint. */
let institution: { id: string; key: string; endpoint: string }

beforeAll(async () => {
  // A busy machine takes long for a request.
  const patient = { UPSTREAM_TIMEOUT_MS: '120000' }
  stack = await startProcesses({ OUTBOUND_ALLOW: '127.0.0.1', SCREENING: 'sanctions', ...patient })
  folder = stack.env.DATA_DIR ?? ''
  headers = await stack.logIn()
  institution = await admit()
})
afterAll(() => stack?.stop())

const ask = (method: string, path: string, body?: unknown, sent: Record<string, string> = headers): Promise<Response> =>
  fetch(stack.url('gateway') + path, { method, headers: sent, body: body === undefined ? null : JSON.stringify(body) })
const made = async <T>(answer: Promise<Response>): Promise<T> => {
  const response = await answer
  if (!response.ok) throw new Error(`${response.status} ${response.url} ${await response.text()}`)
  return (await response.json()) as T
}
const json = { 'content-type': 'application/json' }

/** A participant with an API key, an endpoint, a provider with credentials, and a job that waits with sealed headers. */
async function admit() {
  const key = `sk_test_${crypto.randomUUID()}`
  const { id } = await made<{ id: string }>(
    ask('POST', '/participant/v1/participants', { institutionName: 'Harbour', authConsumerId: key, customers: [] }),
  )
  const own = { 'x-api-key': key, ...json }
  const { id: endpoint } = await made<{ id: string }>(
    ask(
      'POST',
      '/webhook/v1/webhooks/endpoints',
      { participantId: id, url: 'http://127.0.0.1:9/hook', eventTypes: [] },
      own,
    ),
  )
  await made(
    ask('POST', '/quote/v1/providers', {
      name: 'Own',
      slug: 'own',
      config: { url: 'https://a.example/{code}', path: 'a', apiKey: 'hush' },
    }),
  )
  await made(
    ask(
      'POST',
      '/sanctions/v1/sanctions/verify-address',
      {
        externalId: 'job-1',
        address: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
        blockchain: 'ethereum',
        callbackHeaders: { authorization: 'hush' },
      },
      own,
    ),
  )
  return { id, key, endpoint }
}

let count = 0
/** Reads and writes, with calls between services and events below them. */
const kinds: (() => Promise<Response>)[] = [
  () => ask('GET', '/quote/v1/providers'),
  () => ask('GET', `/participant/v1/participants/${institution.id}`, undefined, { 'x-api-key': institution.key }),
  () => ask('POST', '/message/v1/messages', { type: 'TEXT', participantId: 'p', data: { text: 'hello' } }),
  async () => {
    const externalId = `c-${count++}`
    const { id } = await made<{ id: string }>(ask('POST', '/customer/v1/customers', { externalId, status: 'active' }))
    const account = { accountExternalId: externalId, customerId: id, type: 'STABLECOINS', name: 'a', status: 'active' }
    return await ask('POST', '/account/v1/accounts', account)
  },
  () =>
    ask(
      'POST',
      '/identity/v1/auth/login',
      { email: 'admin@localhost', password: stack.env.ADMIN_PASSWORD },
      { ...json, 'x-forwarded-for': '10.0.0.1' },
    ),
]

const callers = kinds.map((send) => async () => [await send()])

const linesOf = (file: string) => keyLines(readFileSync(join(folder, file), 'utf8')) ?? []
const idOf = (key: string) =>
  new Bun.CryptoHasher('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8)
const newestId = (file: string) => idOf(linesOf(file)[0]?.key ?? '')

/**
 * Every text of every table of every database that is sealed by a key. Events on their way are left out: they are accepted
 * until the key ends.
 */
function sealedBy(id: string): string[] {
  const found: string[] = []
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.sqlite'))) {
    const database = new Database(join(folder, name), { readonly: true })
    const tables = database
      .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and name <> 'outbox'")
      .all()
    for (const { name: table } of tables) {
      for (const row of database.query<Record<string, unknown>, []>(`select * from "${table}"`).iterate())
        for (const [column, value] of Object.entries(row))
          if (typeof value === 'string' && value.includes(`v1.${id}.`)) found.push(`${name} ${table}.${column}`)
    }
    database.close()
  }
  return [...new Set(found)]
}

/** The rows of the audit trail about an action, oldest first. */
function trail(action: string): Record<string, unknown>[] {
  const database = new Database(join(folder, 'gateway.sqlite'), { readonly: true })
  try {
    return database
      .query<Record<string, unknown>, [string]>('select * from audit_trail where action = ? order by number')
      .all(action)
  } finally {
    database.close()
  }
}

type KeyFile = [which: string, file: string, places: string[]]
const internal: KeyFile = ['internal', 'internal.secret', ['sanctions.sqlite jobs.callback_headers']]
/** Of one service each. */
const own: KeyFile[] = [
  ['identity', 'identity.key', ['identity.sqlite signing_keys.private_key']],
  ['participant', 'participant.key', ['participant.sqlite participants.sealed_key']],
  ['quote', 'quote.key', ['quote.sqlite providers.config']],
  ['webhook', 'webhook.key', ['webhook.sqlite endpoints.secret']],
  ['main-api', 'main-api.key', []],
]

test.each([
  ['the secret of all', [internal]],
  ['the keys of services, all at once,', own],
])('%s rotated under load: no request is refused, and nothing is sealed by a key before', async (_, files) => {
  const keys = files.map(([which, file, places]) => ({ which, file, places, before: newestId(file) }))
  for (const { before, places } of keys) expect(sealedBy(before)).toEqual(expect.arrayContaining(places))
  const rotate = async ({ which, file, before }: (typeof keys)[number]) => {
    const { code, out, error } = await runOn(stack, 'rotate', which, '--keep', '1h')
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain(`${file} has a new key; the one before, ${before}, is accepted until `)
    expect(out).toEndWith(`${newestId(file)} is in use everywhere.\n`)
  }
  // Log-ins are counted: a refused one was read, and that is what they are here for.
  const { sent, failed } = await underLoad(callers, async () => void (await Promise.all(keys.map(rotate))), {
    allowed: [429],
  })
  expect(failed.slice(0, 3)).toEqual([])
  expect(sent).toBeGreaterThan(10 * keys.length)
  for (const { which, file, places, before } of keys) {
    expect(linesOf(file).slice(0, 2)).toEqual([
      { key: expect.any(String), until: null },
      { key: expect.any(String), until: expect.any(Date) },
    ])
    expect(sealedBy(before)).toEqual([])
    expect(sealedBy(newestId(file))).toEqual(expect.arrayContaining(places))
    const rows = trail(`ROTATE ${which}`).slice(-2)
    expect(rows).toEqual([
      expect.objectContaining({ step: 'asked', door: 'command', object: file, status: null }),
      expect.objectContaining({ step: 'answered', door: 'command', object: file, status: 200 }),
    ])
  }
  // No event was taken for a forged one.
  expect((await runOn(stack, 'events', 'failed')).out).not.toMatch(/: [1-9]\d* dead letters/)
})

test('a rotation that was interrupted goes on with the key that it made', async () => {
  const [current, ...former] = linesOf('quote.key')
  const begun = Buffer.alloc(32, 7).toString('base64')
  const rest = former.map(({ key, until: end }) => `${key} until ${end?.toISOString()}\n`).join('')
  writeFileSync(join(folder, 'quote.key'), `${current?.key}\n${begun}\n${rest}`)
  expect((await runOn(stack, 'rotate', '--status')).out).toContain(
    `quote.key: ${newestId('quote.key')}, ${idOf(begun)} prepared`,
  )
  expect((await runOn(stack, 'rotate', 'quote')).code).toBe(0)
  expect(linesOf('quote.key')[0]?.key).toBe(begun)
  expect(sealedBy(idOf(begun))).toEqual(['quote.sqlite providers.config'])
})

test('an endpoint gets another secret, which is shown once', async () => {
  const { code, out } = await runOn(stack, 'rotate', 'endpoint', institution.endpoint)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Deliveries to http:\/\/127\.0\.0\.1:9\/hook are signed .*: whsec_\S+\n$/),
  ])
  const rows = trail('ROTATE endpoint')
  expect(rows.map(({ step, object, status }) => [step, object, status])).toEqual([
    ['asked', institution.endpoint, null],
    ['answered', institution.endpoint, 200],
  ])
  expect(JSON.stringify(rows)).not.toContain('whsec_')
  expect((await runOn(stack, 'rotate', 'endpoint', crypto.randomUUID())).code).toBe(1)
})

test('without the gateway nothing is changed, for it keeps the audit trail', async () => {
  const before = newestId('quote.key')
  const nowhere = { ...stack, env: { ...stack.env, GATEWAY_PORT: '9' } }
  const { code, error } = await runOn(nowhere, 'rotate', 'quote')
  expect([code, error]).toEqual([1, 'The gateway service cannot be reached\n'])
  expect(newestId('quote.key')).toBe(before)
})

test.each([
  [['quotes'], 'There is no secret quotes; there are internal, '],
  [[], 'Name a secret: internal, '],
  [['quote', 'webhook'], 'Name one secret'],
  [['quote', '--drop'], '--drop is for tokens alone'],
  [['quote', '--keep', '5m'], '--keep takes a time from 10m to 90d, such as 24h, not "5m"'],
  [['endpoint'], 'Name the endpoint'],
  [['quote', '--data-dir', '/nowhere'], 'There is no internal.secret in /nowhere'],
])('rotate %j is refused with a sentence', async (args, sentence) => {
  const { code, out, error } = await runOn(stack, 'rotate', ...args)
  expect([code, out]).toEqual([2, ''])
  expect(error).toStartWith(sentence)
})

describe('after a restore', () => {
  /** A service that ran on the copy leaves queues there: each copy has its own. */
  let databases = 0
  const otherRedis = () => ({ REDIS_URL: `${stack.env.REDIS_URL}/${databases}` })

  /** Takes a backup and restores it, for another Redis. */
  async function restoredCopy(between?: () => Promise<void>): Promise<string> {
    databases += 1
    const [backup, restored] = [join(tempDir(), 'backup'), join(tempDir(), 'data')]
    expect((await runOn(stack, 'backup', backup)).code).toBe(0)
    await between?.()
    const elsewhere = { ...stack, env: { ...stack.env, ...otherRedis() } }
    const { code, error } = await runOn(elsewhere, 'restore', backup, '--incomplete', '--data-dir', restored)
    expect([code, error]).toEqual([0, ''])
    return restored
  }

  test('of a backup from before a rotation, all that is sealed opens by the keys in it', async () => {
    const kept = newestId('participant.key')
    const restored = await restoredCopy(async () => {
      expect((await runOn(stack, 'rotate', 'participant')).code).toBe(0)
    })
    const [line] = keyLines(readFileSync(join(restored, 'participant.key'), 'utf8')) ?? []
    expect(idOf(line?.key ?? '')).toBe(kept)
    const database = new Database(join(restored, 'participant.sqlite'), { readonly: true })
    const rows = database.query<{ sealed_key: string }, []>('select sealed_key from participants').all()
    expect(rows.map(({ sealed_key }) => sealed_key.split('.')[1])).toEqual(rows.map(() => kept))
  })

  test('of an older key file alone, the service does not start, and says why', async () => {
    const restored = await restoredCopy()
    const file = join(restored, 'identity.key')
    const whole = readFileSync(file)
    writeFileSync(file, `${Buffer.alloc(32, 3).toString('base64')}\n`)
    const port = String(await freePort())
    const start = () =>
      Bun.spawn(lineOfServices('identity-manager'), {
        env: { ...stack.env, ...otherRedis(), DATA_DIR: restored, IDENTITY_PORT: port },
        stdout: 'pipe',
        stderr: 'pipe',
      })
    const refused = start()
    expect(await refused.exited).not.toBe(0)
    const said = (await refused.stdout.text()) + (await refused.stderr.text())
    expect(said).toContain('identity.key, is not the key that encrypted the signing keys')
    writeFileSync(file, whole)
    const started = start()
    await until(async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).ok)
    started.kill('SIGTERM')
    expect(await started.exited).toBe(0)
  })
})
