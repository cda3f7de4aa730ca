// The TypeScript client as strangers get it: packed, in plain Node, with docs/clients.md in hand; and its promises, kept on
// a platform that really fails.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bursar, createBursar, logIn } from '@bursar/client'
import { packClient } from '@bursar/client/pack'
import { type GatewayDocument, routesFile } from '@bursar/client/routes-file'
import { freePort, tempDir } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { lossyProxy } from './lossy-proxy'

setDefaultTimeout(180_000)

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')
/** The settings that its first command gives to the stack. */
const settings = Object.fromEntries(
  [...(/```sh start\n(.*)\n```/.exec(page)?.[1] ?? '').matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+))/g)].map(
    ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''],
  ),
)
let platform: TestPlatform
let document: GatewayDocument
/** A folder of a stranger, with the client installed. */
let folder: string

beforeAll(async () => {
  platform = await testPlatform(builtServices(), settings)
  document = (await (await fetch(`${platform.url('gateway')}/openapi.json`)).json()) as GatewayDocument
  folder = tempDir()
  await install(await packClient(document, tempDir()))
})
afterAll(() => platform?.close())

/** As npm does, with the dependencies that are here already. */
async function install(tarball: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  const client = join(modules, '@bursar/client')
  mkdirSync(client, { recursive: true })
  await run(['tar', '-xzf', tarball, '-C', client, '--strip-components=1'])
  const { dependencies } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies))
    symlinkSync(realpathSync(join(root, 'packages/client/node_modules', name)), join(modules, name))
  symlinkSync(realpathSync(join(root, 'node_modules/bun-types')), join(modules, 'bun-types'))
}

/** Runs a program in the folder; answers what it said. */
async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const own = { PATH: process.env.PATH ?? '', ...env }
  const child = Bun.spawn(command, { cwd: folder, env: own, stdout: 'pipe', stderr: 'pipe', timeout: 150_000 })
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([await child.exited, said.join('')]).toEqual([0, expect.any(String)])
  return said.join('')
}

async function program(): Promise<string> {
  const port = String(await freePort())
  const blocks = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text = '']) => text.replaceAll('9000', port))
  const file = join(folder, 'first-payment.mjs')
  writeFileSync(file, blocks.join('\n'))
  return file
}

describe('the packed client', () => {
  test('makes the first payment of docs/clients.md in Node, with roles checked', async () => {
    expect(settings.AUTHORIZATION).toBe('roles')
    const { ADMIN_PASSWORD = '' } = settings
    const env = { BURSAR_URL: platform.url('gateway'), DATA_DIR: platform.dataDir, ADMIN_PASSWORD }
    expect(await run(['node', await program()], env)).toBe(
      'The withdrawal is COMPLETED, and its webhook was verified\n',
    )
  })

  test('has types that know that program, and refuse what no route takes', async () => {
    const right = readFileSync(await program(), 'utf8')
    const mistakes = [
      ["amount: '0.5'", 'amount: 0.5'],
      ["'/core/v1/balances/account/{accountId}'", "'/core/v1/balance/account/{accountId}'"],
      ['withdrawal.id, isApproved', 'withdrawal.idd, isApproved'],
      ["event.type === 'transaction.status_updated'", "event.type === 'transaction.updated'"],
    ] as const
    for (const [index, [good, bad]] of mistakes.entries()) {
      expect(right).toContain(good)
      writeFileSync(join(folder, `mistake-${index}.mjs`), right.replace(good, bad))
    }
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'esnext', lib: ['esnext'], types: ['bun-types'], strict: true },
      ...{ noImplicitAny: false, checkJs: true, noEmit: true, skipLibCheck: true },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mjs'] }))
    const tsc = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', '.'], { cwd: folder, stdout: 'pipe' })
    const said = await new Response(tsc.stdout).text()
    const wrong = new Set([...said.matchAll(/^([\w-]+)\.mjs\S* error TS/gm)].map(([, file]) => file))
    expect([...wrong].sort(), said).toEqual(mistakes.map((_, index) => `mistake-${index}`))
  })

  test('names real versions, and only what it has in it', () => {
    const client = join(folder, 'node_modules/@bursar/client')
    const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(readdirSync(client).sort()).toEqual(['README.md', 'dist', 'package.json'])
    const files = readdirSync(join(client, 'dist'))
    expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'api.d.ts']))
    const code = files
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(client, 'dist', name), 'utf8'))
    expect(code.join('\n')).not.toMatch(/\bBun\b|bun:|node:|process\.env/)
  })
})

test('the routes with keys and pages are those of the document: bun run client:routes', () => {
  expect(readFileSync(join(root, 'packages/client/src/routes.ts'), 'utf8')).toBe(routesFile(document))
})

describe('on a platform that fails', () => {
  let admin: Bursar
  let accountId: string
  let assetId: string
  const network = 'chain-of-clients'

  beforeAll(async () => {
    admin = await administrator(platform.url('gateway'))
    const customer = await admin.post('/customer/v1/customers', { body: { externalId: 'c-clients', status: 'active' } })
    const account = await admin.post('/account/v1/accounts', {
      body: {
        customerId: customer.id,
        type: 'STABLECOINS',
        status: 'active',
        name: 'Main',
        accountExternalId: 'a-clients',
      },
    })
    const asset = await admin.post('/core/v1/assets', {
      body: { code: 'CLIENTS', name: 'A coin', decimalPlaces: 18, address: 'native', network },
    })
    accountId = account.id
    assetId = asset.id
    const deposit = await admin.post('/core/v1/transactions/deposit', {
      body: { accountId, network, assetId, amount: '10', sourceAddress: 'somebody', txHash: 'first' },
    })
    await admin.post('/core/v1/transactions/complete-screening', { body: { id: deposit.id, isApproved: true } })
  })

  const administrator = async (baseUrl: string): Promise<Bursar> => {
    const password = settings.ADMIN_PASSWORD ?? ''
    const session = await logIn({ baseUrl, email: 'admin@localhost', password })
    return createBursar({ baseUrl, session, repeats: { attempts: 100, longestPauseMs: 500 } })
  }

  test('a withdrawal whose answers were lost is made once', async () => {
    const proxy = await lossyProxy(platform.url('gateway'), { loses: /^POST .*\/withdrawal$/, times: 3 })
    try {
      const bursar = await administrator(proxy.url)
      const body = { accountId, network, assetId, amount: '0.5', destinationAddress: 'somebody-else' }
      const { attempts, data, headers } = await bursar.send('post', '/core/v1/transactions/withdrawal', { body })
      expect([attempts, proxy.lost(), headers.get('idempotent-replayed')]).toEqual([4, 3, 'true'])
      const made: string[] = []
      for await (const { id, type, amount } of admin.list('/core/v1/transactions', {
        params: { query: { accountId, limit: 1 } },
      }))
        if (type === 'WITHDRAWAL' && amount === '0.5') made.push(id)
      expect(made).toEqual([data.id])
    } finally {
      proxy.stop()
    }
  })

  test('a refresh whose answer was lost keeps the session', async () => {
    const proxy = await lossyProxy(platform.url('gateway'), { loses: /^POST .*\/refresh$/, times: 1 })
    try {
      const session = await logIn({
        baseUrl: proxy.url,
        email: 'admin@localhost',
        password: settings.ADMIN_PASSWORD ?? '',
      })
      const before = session.tokens()
      await session.renew(before.accessToken)
      expect([session.tokens().refreshToken === before.refreshToken, proxy.lost()]).toEqual([false, 1])
      await session.renew(session.tokens().accessToken)
      await createBursar({ baseUrl: proxy.url, session }).get('/core/v1/assets')
    } finally {
      proxy.stop()
    }
  })

  test('more reads than the limit allows are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => admin.send('get', '/core/v1/assets')))
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200))
    expect(answers.some(({ attempts }) => attempts > 1)).toBe(true)
  })

  test('a payment waits for a service that is away', async () => {
    await platform.stop('core-ledger')
    const asked = admin.send('post', '/core/v1/transactions/withdrawal', {
      body: { accountId, network, assetId, amount: '0.25', destinationAddress: 'somebody-else' },
    })
    await expect(
      createBursar({ baseUrl: platform.url('gateway'), repeats: { attempts: 1 } }).get('/core/v1/health'),
    ).rejects.toMatchObject({
      status: 503,
    })
    await platform.start('core-ledger')
    expect((await asked).attempts).toBeGreaterThan(1)
  })

  test('an error has the code, the fields and the request id of the service', async () => {
    const body = { accountId, network, assetId, amount: '-1', destinationAddress: 'x' }
    await expect(admin.post('/core/v1/transactions/withdrawal', { body })).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('amount'),
    })
    const unknown = admin.get('/account/v1/accounts/{id}', { params: { path: { id: Bun.randomUUIDv7() } } })
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND', requestId: expect.any(String) })
  })
})
