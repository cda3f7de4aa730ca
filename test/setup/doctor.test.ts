// `bun run doctor` on installations with faults that are really made.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectBus, deploymentOf } from '@bursar/bus'
import { silentLog } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { freePort, type Handler, localServer, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { RedisClient } from 'bun'
import { examineAll, textOf } from '../../scripts/doctor/examine-all'
import { home } from '../../scripts/stack/installation'
import { testSmtp } from '../../services/identity-manager/test/smtp'
import { createSeedFile } from '../../services/wallet/src/keys/seed-file'
import { runCommand } from '../commands'
import { consumer } from './tiny-stack'

const key = Buffer.alloc(32, 7).toString('base64')

let redis: TestRedis
let env: Record<string, string>
let dataDir: string

beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.stop())

beforeEach(async () => {
  dataDir = tempDir()
  env = { PATH: process.env.PATH ?? '', REDIS_URL: redis.url, DATA_DIR: dataDir }
  for (const { slug } of Object.values(services)) env[`${slug.toUpperCase()}_PORT`] = String(await freePort())
})

const linesOf = (out: string) => out.split('\n').filter((line) => /^(ok|warning|wrong) /.test(line))

/** Runs the command, as another program (`under`) starts it where one is named. */
async function doctor(settings: Record<string, string> = {}, args: string[] = [], under: string[] = []) {
  const { code, out, error } = await runCommand('doctor', args, { env: { ...env, ...settings }, under })
  return { code, error, out, lines: linesOf(out) }
}

/** What the command finds and prints, in this process: that takes a twentieth of the processor time. */
async function examined(settings: Record<string, string> = {}, timeUrl: string | null = null) {
  const all = await examineAll({ home, env: environment({ ...env, ...settings }), dataDir, timeUrl })
  const out = textOf(all, { isQuiet: false })
  return { out, lines: linesOf(out) }
}

const about = ({ lines }: { lines: string[] }, subject: string) => {
  const split = lines.map((line) => line.split(/ +/)).filter(([, found]) => found === subject)
  return split.map(([verdict, , ...words]) => `${verdict}: ${words.join(' ')}`)
}

async function withServer<T>(handler: Handler, work: (url: string) => Promise<T>): Promise<T> {
  const server = localServer(handler)
  return await work(server.url).finally(() => server.stop())
}

describe('doctor', () => {
  test('finds nothing wrong with a sound installation, and leaves nothing behind', async () => {
    const sound: Handler = () => new Response()
    const found = await withServer(sound, (url) => doctor({}, ['--time-url', url]))
    expect(found).toMatchObject({ code: 0, error: '' })
    expect(found.lines.filter((line) => !line.startsWith('ok'))).toEqual([])
    expect(found.out).toEndWith('\n0 wrong, 0 warnings\n')
    expect([...new Bun.Glob('*').scanSync(dataDir)]).toEqual([])
    expect((await doctor({}, ['--quiet', '--data-dir', dataDir])).lines.map((line) => line.split(' ')[0])).toEqual([
      'warning',
    ])
  })

  test('helps, and refuses what it does not know', async () => {
    expect(await doctor({}, ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: bun run doctor/),
    })
    expect(await doctor({}, ['--what'])).toMatchObject({ code: 1, error: expect.stringContaining('doctor --help') })
  })

  test('names settings that no service takes, once, and open doors', async () => {
    const found = await doctor({ SCREENING: 'perhaps', INTERNAL_AUTH: 'maybe', HOST: '0.0.0.0' })
    expect(found.code).toBe(1)
    expect(about(found, 'settings')).toEqual([
      expect.stringMatching(/^wrong: INTERNAL_AUTH must be one of optional, required, not "maybe"/),
      expect.stringMatching(
        /^wrong: HOST is 0\.0\.0\.0, and the services trust their callers: .* Set INTERNAL_AUTH=required/,
      ),
    ])
    expect(about(await examined({ SCREENING: 'perhaps' }), 'settings')).toEqual([
      'wrong: SCREENING must be one of external, sanctions, not "perhaps": correct it in .env',
    ])
  })

  test('says what production should have', async () => {
    const told = about(await examined({ ENVIRONMENT: 'production', AUTHORIZATION: 'documented' }), 'settings')
    for (const name of [
      'AUTHORIZATION=roles',
      'NETWORKS_SIMULATED=off',
      'SMTP_URL',
      'PUBLIC_URL',
      'SCREENING=sanctions',
      'WALLET_PASSPHRASE',
    ])
      expect(told.filter((line) => line.startsWith('warning: in production') && line.includes(name))).toHaveLength(1)
    const whole = {
      ENVIRONMENT: 'production',
      NETWORKS_SIMULATED: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'https://bursar.example',
      SCREENING: 'sanctions',
      WALLET_PASSPHRASE: 'long enough for it',
    }
    expect(about(await examined(whole), 'settings')).toEqual(['ok: every service takes its settings'])
  })

  test('sees who may read the data folder and its keys', async () => {
    writeFileSync(join(dataDir, 'quote.key'), key, { mode: 0o644 })
    chmodSync(dataDir, 0o755)
    expect(about(await examined(), 'permissions')).toEqual([
      `wrong: ${dataDir}/quote.key is open to other users, and may be a key: chmod 600 it`,
      `warning: ${dataDir} is open to other users: chmod 700 it`,
    ])
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot && !Bun.which('setpriv'))('sees a data folder that its user cannot read', async () => {
    chmodSync(dataDir, 0o300)
    // Root reads everything, until it has none of its rights.
    const plain = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'] : []
    const found = await doctor({}, [], plain)
    chmodSync(dataDir, 0o700)
    expect(about(found, 'permissions')).toEqual([
      `wrong: ${dataDir} cannot be read and written by this user: chown -R it to the user who runs the services`,
    ])
    expect(found.code).toBe(1)
  })

  test.skipIf(!Bun.which('prlimit'))('sees a limit on what can be written', async () => {
    const limited = ['prlimit', '--fsize=1048576:1048576', 'sh', '-c', 'trap \'\' XFSZ; exec "$@"', 'sh']
    const found = await doctor({}, [], limited)
    expect(about(found, 'disk')).toEqual([
      expect.stringMatching(/^wrong: .* cannot be written \(EFBIG.*free some space/),
    ])
    expect([...new Bun.Glob('*').scanSync(dataDir)]).toEqual([])
  })

  const canMount = Bun.spawnSync(['unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stderr: 'ignore' })
  test.skipIf(canMount.exitCode !== 0)('sees a disk that is nearly full, and one that is', async () => {
    const onDiskOf = (size: string) => {
      const shell = `mount -t tmpfs -o mode=700,size=${size} none ${dataDir} && exec "$@"`
      return doctor({}, [], ['unshare', '-m', 'sh', '-c', shell, 'sh'])
    }
    expect(about(await onDiskOf('64m'), 'disk')[0]).toStartWith(
      `wrong: 64 MiB are free on the disk of ${dataDir}: free`,
    )
    expect(about(await onDiskOf('1g'), 'disk')[0]).toStartWith(
      `warning: 1024 MiB are free on the disk of ${dataDir}: free`,
    )
    expect(about(await onDiskOf('2m'), 'disk')[0]).toMatch(/^wrong: .* cannot be written \(ENOSPC/)
  })

  test('sees keys that are missing, cut off, or do not open the seed', async () => {
    writeFileSync(join(dataDir, 'identity.sqlite'), '')
    writeFileSync(join(dataDir, 'quote.key'), key.slice(0, 20), { mode: 0o600 })
    await createSeedFile(dataDir, 'the right passphrase', { cost: 2, now: new Date() })
    expect(
      about(await examined({ WALLET_PASSPHRASE: 'a wrong passphrase', INTERNAL_SECRET: 'c2hvcnQ=' }), 'keys'),
    ).toEqual([
      'wrong: INTERNAL_SECRET holds 5 bytes in base64 instead of 32: restore it from a backup',
      `wrong: ${dataDir}/identity.key is missing, and identity.sqlite needs it: restore it from a backup, before the next start`,
      `wrong: ${dataDir}/quote.key holds 15 bytes in base64 instead of 32: restore it from a backup`,
      expect.stringContaining('wrong: The passphrase does not open'),
    ])
    expect(about(await examined(), 'keys').at(-1)).toContain('needs its passphrase: set WALLET_PASSPHRASE')
    const given = { WALLET_PASSPHRASE: 'the right passphrase', QUOTE_SECRET_KEY: key, IDENTITY_SECRET_KEY: key }
    expect(about(await examined(given), 'keys')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('compares the clock with a web server’s, and with the files', async () => {
    const at = (ms: number) => () => new Response('', { headers: { date: new Date(Date.now() + ms).toUTCString() } })
    const off = async (ms: number) => about(await withServer(at(ms), (url) => examined({}, url)), 'clock')
    expect(await off(3_600_000)).toEqual([
      expect.stringMatching(/^wrong: it is (3599|3600|3598) s behind 127\.0\.0\.1:\d+: set/),
    ])
    expect(await off(-3_600_000)).toEqual([expect.stringMatching(/^wrong: it is 3\d{3} s ahead of 127\.0\.0\.1/)])
    expect(await off(-15_000)).toEqual([expect.stringMatching(/^warning: it is 1\d s ahead of/)])
    expect(about(await examined({}, 'http://127.0.0.1:9'), 'clock')[0]).toContain('does not answer')
    const later = new Date(Date.now() + 3_600_000)
    writeFileSync(join(dataDir, 'core.sqlite'), '')
    utimesSync(join(dataDir, 'core.sqlite'), later, later)
    expect(about(await examined(), 'clock')).toEqual([
      expect.stringMatching(/^wrong: files of .* are 3\d{3} s ahead of it/),
    ])
  })

  test('sees a Redis that forgets, drops, is full, or is not there', async () => {
    const client = new RedisClient(redis.url)
    const set = (name: string, value: string) => client.send('CONFIG', ['SET', name, value])
    await set('maxmemory-policy', 'allkeys-lru')
    await set('maxmemory', '1100000')
    await set('appendonly', 'no')
    const found = await examined()
    await set('maxmemory', '0')
    await set('maxmemory-policy', 'noeviction')
    await set('appendonly', 'yes')
    client.close()
    expect(about(found, 'redis')).toEqual([
      `wrong: ${redis.url} drops events when its memory is full (allkeys-lru): set maxmemory-policy noeviction`,
      `wrong: ${redis.url} forgets events when it restarts: set appendonly yes, and CONFIG REWRITE`,
      expect.stringMatching(/^warning: .* uses \d+ % of its maxmemory: raise it$/),
    ])
    expect(about(await examined({ REDIS_URL: 'redis://:hidden@127.0.0.1:9' }), 'redis')).toEqual([
      'wrong: redis://***@127.0.0.1:9: no Redis answers there: start it, or correct REDIS_URL',
    ])
    const port = await freePort()
    const taken = await consumer(port)
    const own = await examined({ REDIS_URL: '', REDIS_PORT: String(port) })
    taken.close()
    expect(about(own, 'redis')).toEqual([expect.stringMatching(/^wrong: Port \d+, where redis listens, is in use/)])
  })

  test('sees two deployments on one Redis, by their secrets, while they are there', async () => {
    const secrets = { own: Buffer.alloc(32, 1), other: Buffer.alloc(32, 2) }
    const common = { url: redis.url, service: 'quote', log: silentLog, patienceMs: 60_000 } as const
    const INTERNAL_SECRET = secrets.own.toString('base64')
    const client = new RedisClient(redis.url)
    const seen = (count: number) => until(async () => (await client.send('ZCARD', ['bursar:deployments'])) === count)
    const buses = [connectBus({ ...common, secret: secrets.own })]
    try {
      await seen(1)
      expect(about(await examined({ INTERNAL_SECRET }), 'redis')).toEqual([expect.stringMatching(/^ok: /)])
      buses.push(connectBus({ ...common, secret: secrets.other }))
      await seen(2)
      const other = /^wrong: .* is used by another deployment, too: give each a Redis or a database/
      expect(about(await examined({ INTERNAL_SECRET }), 'redis').at(-1)).toMatch(other)
      expect(about(await examined(), 'redis').at(-1)).toMatch(other)
      await client.send('ZADD', ['bursar:deployments', '1000', deploymentOf(secrets.other)])
      expect(about(await examined({ INTERNAL_SECRET }), 'redis')).toEqual([expect.stringMatching(/^ok: /)])
    } finally {
      await Promise.all(buses.map((bus) => bus.close()))
      await client.send('DEL', ['bursar:deployments'])
      client.close()
    }
  })

  test('asks each node for its network and its newest block', async () => {
    const node =
      (chain: number, ageMs: number): Handler =>
      async (request) => {
        const { method } = (await request.json()) as { method: string }
        const timestamp = `0x${Math.floor((Date.now() - ageMs) / 1000).toString(16)}`
        return Response.json({
          jsonrpc: '2.0',
          id: 1,
          result: method === 'eth_chainId' ? `0x${chain.toString(16)}` : { timestamp },
        })
      }
    const servers = [localServer(node(1, 0)), localServer(node(5, 0)), localServer(node(1, 3_600_000))]
    const urls = [...servers.map(({ url }) => `${url}/secret`), 'http://127.0.0.1:9/secret']
    const found = await examined({ ETHEREUM_RPC_URLS: urls.join(',') })
    await Promise.all(servers.map((server) => server.stop()))
    expect(about(found, 'nodes')).toEqual([
      'ok: node 1 of ethereum answers, and follows its chain',
      expect.stringMatching(/^wrong: node 2 of ethereum is of 5, not of 1: correct ETHEREUM_RPC_URLS/),
      expect.stringMatching(/^wrong: node 3 of ethereum is 60 minutes behind its chain/),
      expect.stringMatching(/^wrong: node 4 of ethereum does not answer \(no connection\)/),
    ])
    expect(found.out).not.toContain('secret')
  })

  test('asks the mail server as the identity manager will', async () => {
    const smtp = await testSmtp({ allowInsecureAuth: true })
    const found = async (account: string) =>
      about(await examined({ SMTP_URL: `smtp://${account}@127.0.0.1:${smtp.port}` }), 'mail')
    expect(await found('bursar:secret')).toEqual([`ok: 127.0.0.1:${smtp.port} takes mails`])
    expect(await found('bursar:guessed')).toEqual([
      expect.stringMatching(/^wrong: .* takes no mails \(Invalid login.*correct SMTP_URL/),
    ])
    await smtp.stop()
    expect(await found('bursar:secret')).toEqual([expect.stringContaining('takes no mails')])
    expect(smtp.received).toEqual([])
  })

  test('sees ports that are taken, and what services that run say', async () => {
    const taken = await consumer(Number(env.QUOTE_PORT))
    const answers: Handler = ({ url }) =>
      url.endsWith('/health')
        ? Response.json({ waiting: ['2 orders wait'], error: 'database: full' })
        : new Response('ok')
    const found = await withServer(answers, (url) => examined({ WALLET_PORT: new URL(url).port }))
    taken.close()
    expect(about(found, 'ports')).toEqual([
      `wrong: Port ${env.QUOTE_PORT}, where quote listens, is in use: stop what uses it, or set QUOTE_PORT to a free port.`,
    ])
    expect(about(found, 'services')).toEqual(['warning: wallet: 2 orders wait', 'warning: wallet: database: full'])
  })
})
