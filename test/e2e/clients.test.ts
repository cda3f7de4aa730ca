// The TypeScript client as strangers get it: packed, in plain Node, with docs/clients.md in hand; and its promises, kept on
// a platform that really fails.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bursar, createBursar, logIn } from '@bursar/client'
import type { GatewayDocument } from '@bursar/client/gateway-document'
import { packClient } from '@bursar/client/pack'
import { postmanCollection } from '@bursar/client/postman'
import { pythonRoutesFile, routesFile } from '@bursar/client/routes-file'
import { freePort, tempDir } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { byTokens, type Change, ways } from './client-programs'
import { lossyProxy } from './lossy-proxy'
import { wholeDocument } from './through-gateway'

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
  platform = await testPlatform(builtServices(), { ...settings, RATE_LIMIT_LOGIN: '100' })
  document = await wholeDocument<GatewayDocument>(platform.url('gateway'))
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

/** Runs a program in the folder; answers what it said, on standard output and on the other. */
async function run(command: string[], env: Record<string, string> = {}): Promise<{ out: string; error: string }> {
  const own = { PATH: process.env.PATH ?? '', ...env }
  const child = Bun.spawn(command, { cwd: folder, env: own, stdout: 'pipe', stderr: 'pipe', timeout: 300_000 })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([await child.exited, error]).toEqual([0, expect.any(String)])
  return { out, error }
}

/** The program that the page's blocks in a language make, in a file of the folder; with changes of words. */
async function program(language: 'js' | 'python', name: string, changes: readonly Change[] = []): Promise<string> {
  const port = String(await freePort())
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
  let text = blocks.map(([, text = '']) => text.replaceAll('9000', port)).join('\n')
  for (const [from, to] of changes) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Where the programs of the page find the platform. */
const surroundings = () => ({
  BURSAR_URL: platform.url('gateway'),
  DATA_DIR: platform.dataDir,
  ADMIN_PASSWORD: settings.ADMIN_PASSWORD ?? '',
})
const end = 'The withdrawal is COMPLETED, and its webhook was verified\n'

describe('the packed client', () => {
  test.each(ways)('makes the first payment of docs/clients.md, in Node by %s', async (by) => {
    expect(settings.AUTHORIZATION).toBe('roles')
    const file = await program('js', `first-payment-${by}.mjs`, by === 'oauth' ? byTokens.js : [])
    expect((await run(['node', file], surroundings())).out).toBe(end)
  })

  test('has types that know that program, and refuse what no route takes', async () => {
    const right = readFileSync(await program('js', 'first-payment.mjs'), 'utf8')
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

test('the routes of the clients and the collection are those of the document: bun run client:routes', () => {
  const read = (path: string) => readFileSync(join(root, 'packages', path), 'utf8')
  const collection = JSON.parse(read('../docs/postman.json'))
  expect(collection).toEqual(JSON.parse(JSON.stringify(postmanCollection(document))))
  expect(read('client/src/routes.ts')).toBe(routesFile(document))
  expect(read('client-python/bursar_client/routes.py')).toBe(pythonRoutesFile(document))
})

interface PostmanRequest {
  method: string
  header: { key: string; value: string }[]
  url: { raw: string; variable: { key: string; value: string }[] }
  body?: { raw: string }
}
type PostmanItem = { name: string; item?: PostmanItem[]; request?: PostmanRequest }

describe('docs/postman.json', () => {
  const collection = JSON.parse(readFileSync(join(root, 'docs/postman.json'), 'utf8')) as PostmanItem
  const requestsIn = ({ name, item = [], request }: PostmanItem): [string, PostmanRequest][] =>
    request ? [[name, request]] : item.flatMap(requestsIn)
  const requests = requestsIn(collection)

  test('has every operation, by an address of the document', () => {
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const sent = requests.map(([, { method, url }]) => `${method} ${url.raw.replace('{{baseUrl}}', '')}`)
    expect(sent.map((each) => each.replaceAll(/:(\w+)/g, '{$1}')).sort()).toEqual(routes.sort())
  })

  test('logs in, and makes an asset once', async () => {
    const variables: Record<string, string> = { baseUrl: platform.url('gateway'), $guid: crypto.randomUUID() }
    const filled = (text: string) => text.replaceAll(/\{\{([$\w]+)\}\}/g, (_, name: string) => variables[name] ?? '')
    const send = async (name: string, change: object) => {
      const [, { method, header, url, body }] = requests.find(([each]) => each === name) ?? [
        '',
        requests[0]?.[1] as never,
      ]
      const headers = header.map(({ key, value }): [string, string] => [key, filled(value)])
      if (variables.accessToken) headers.push(['authorization', `Bearer ${variables.accessToken}`])
      const text = JSON.stringify({ ...JSON.parse(body?.raw ?? ''), ...change })
      return await fetch(filled(url.raw), { method, headers, body: text })
    }
    const entered = await send('Log in', { email: 'admin@localhost', password: settings.ADMIN_PASSWORD })
    variables.accessToken = ((await entered.json()) as { data: { accessToken: string } }).data.accessToken
    const asset = { code: 'POSTMAN', name: 'Of the collection' }
    const made = [await send('Create an asset', asset), await send('Create an asset', asset)]
    expect(made.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, null],
      [201, 'true'],
    ])
  })
})

const python = Bun.which('python3')
if (python === null) console.log('The Python client is not tested: there is no python3 on the PATH')

describe.skipIf(python === null)('the Python client', () => {
  const path = join(root, 'packages/client-python')
  const env = { PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' }

  test('keeps its promises: its own tests', async () => {
    const { error } = await run([python ?? '', '-m', 'unittest', 'discover', '-s', join(path, 'tests')], env)
    expect(error).toMatch(/Ran \d\d tests in [\s\S]*\nOK\n$/)
  })

  test.each(ways)('makes the first payment of docs/clients.md by %s', async (by) => {
    const file = await program('python', `first_payment_${by}.py`, by === 'oauth' ? byTokens.python : [])
    expect((await run([python ?? '', file], { ...surroundings(), ...env })).out).toBe(end)
  })
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
    ;[accountId, assetId] = [account.id, asset.id]
    const deposit = await admin.post('/core/v1/transactions/deposit', {
      body: { accountId, network, assetId, amount: '10', sourceAddress: 'somebody', txHash: 'first' },
    })
    await admin.post('/core/v1/transactions/complete-screening', { body: { id: deposit.id, isApproved: true } })
    await platform.settle()
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
      const password = settings.ADMIN_PASSWORD ?? ''
      const session = await logIn({ baseUrl: proxy.url, email: 'admin@localhost', password })
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
    const ask = () => Promise.all(Array.from({ length: 60 }, () => admin.send('get', '/core/v1/assets')))
    let answers = await ask()
    // Again where a busy machine takes so long for them that the limit allows them all.
    while (!answers.some(({ attempts }) => attempts > 1)) answers = await ask()
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200))
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
