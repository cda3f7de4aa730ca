// The service as a process of its own: what it writes down and what it leaves in the memory of others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createIdentity, identityHeader } from '@bursar/http'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { HDKey as EdKey } from 'micro-key-producer/slip10.js'
import { placeOf } from '../src/keys/key-place'
import { readMnemonic, seedFileName } from '../src/keys/seed-file'
import { passphrase, testWallets } from './harness'
import { type Peers, startPeers } from './peers'

const folder = dirname(import.meta.dir)
const main = join(folder, 'src/main.ts')

let peers: Peers
let redis: TestRedis
beforeAll(async () => {
  peers = startPeers()
  redis = await testRedis()
})
afterAll(async () => {
  await redis?.stop()
  await peers.server.stop()
})

async function startProcess(dataDir: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const urls = Object.fromEntries(
    ['ACCOUNT', 'BLOCKCHAIN', 'PARTICIPANT', 'CORE'].map((word) => [`${word}_URL`, peers.url]),
  )
  const child = Bun.spawn([process.execPath, main], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      WALLET_PORT: String(port),
      REDIS_URL: redis.url,
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      ...urls,
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) output += Buffer.from(chunk).toString()
  }
  const reading = Promise.all([read(child.stdout), read(child.stderr)])
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    ready: async () => {
      await until(() => output.includes('"ready"') || child.exitCode !== null, { what: 'the start' })
      if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
    },
    ended: async () => {
      const code = await child.exited
      await reading
      return { code, output }
    },
    kill: () => child.kill('SIGTERM'),
  }
}

/** A data folder of a service that ran with `passphrase`; it is there for the next start. */
async function startedBefore(dataDir: string): Promise<string> {
  const service = await testWallets(peers, { dataDir })
  await service.close()
  return dataDir
}

/** What Redis has on its disk: every event that was published. */
const keptByRedis = () =>
  readdirSync(join(redis.dir, 'appendonlydir')).map((name) =>
    readFileSync(join(redis.dir, 'appendonlydir', name), 'latin1'),
  )

/** All that must appear nowhere, in the ways that it could be written. */
function secretsOf(mnemonic: string, accountId: string): string[] {
  const seed = mnemonicToSeedSync(mnemonic)
  const { account, index } = placeOf(accountId)
  const evm = HDKey.fromMasterSeed(seed)
  const solana = EdKey.fromMasterSeed(seed)
  const keys = [
    mnemonicToEntropy(mnemonic, wordlist),
    seed,
    evm.privateKey,
    ...["m/44'/60'", `m/44'/60'/${account}'/0/${index}`, "m/44'/60'/0'/0/0"].map((path) => evm.derive(path).privateKey),
    ...["m/44'/501'", `m/44'/501'/${account}'/${index}'`, "m/44'/501'/0'/0'"].map(
      (path) => solana.derive(path).privateKey,
    ),
  ].map((bytes) => Buffer.from(bytes as Uint8Array))
  const written = keys.flatMap((bytes) => [
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
    base58.encode(bytes),
    [...bytes].join(','),
    BigInt(`0x${bytes.toString('hex')}`).toString(),
  ])
  return [...written, mnemonic, mnemonic.split(' ').slice(0, 3).join(' ')]
}

describe('the process', () => {
  test('never writes a secret, whatever the requests', async () => {
    const dataDir = tempDir()
    const service = await startProcess(dataDir)
    await service.ready()
    const secret = readFileSync(join(dataDir, 'internal.secret'), 'utf8')
    const identity = createIdentity('core-ledger', Buffer.from(secret, 'base64'), () => new Date())
    const headersOf = async (subject: string) => {
      const caller = { kind: 'service', subject, participantId: null, roles: [] } as const
      return { 'content-type': 'application/json', [identityHeader]: await identity.sign(caller, 'wallet') }
    }
    const [ledger, chain] = [await headersOf('core-ledger'), await headersOf('blockchain')]
    const accountId = peers.account('PORTFOLIO')
    const answers: string[] = []
    const ask = async (method: string, path: string, body?: unknown, headers = ledger) => {
      const response = await fetch(service.url + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      answers.push(JSON.stringify([...response.headers]) + (await response.text()))
      return response.status
    }
    const signing = { accountId, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }
    const order = {
      id: Bun.randomUUIDv7(),
      accountId,
      network: 'polygon',
      assetCode: 'POL',
      contractAddress: null,
      amount: '1',
      decimals: 18,
    }
    const unsigned = { orderId: order.id, network: 'polygon', signers: ['0x'], unsigned: '{}' }
    const statuses = [
      await ask('GET', `/v1/wallets/account/${accountId}/network/ethereum?createIfNotExists=true`),
      await ask('GET', `/v1/wallets/account/${accountId}/network/solana?createIfNotExists=true`),
      await ask('POST', '/v1/internal/portfolio/sign-message', signing),
      await ask('POST', '/v1/internal/portfolio/sign-message', {
        ...signing,
        signMode: 'TYPED_DATA_V4',
        domain: {},
        types: { A: [{ name: 'n', type: 'x' }] },
        typedDataMessage: {},
      }),
      await ask('POST', '/v1/internal/withdrawals', {
        ...order,
        destinationAddress: '0x742d35cc6634c0532925a3b844bc454e4438f44e',
      }),
      await ask('POST', '/v1/internal/sign-transaction', unsigned, chain),
      await ask('GET', '/metrics'),
      await ask('GET', '/swagger/json'),
    ]
    expect(statuses).toEqual([200, 200, 200, 400, 200, 422, 200, 200])
    expect(readFileSync(`/proc/${service.pid}/limits`, 'utf8')).toMatch(/Max core file size +0 +0/)
    service.kill()
    const { code, output } = await service.ended()
    expect(code).toBe(0)

    const ownPassphrase = readFileSync(join(dataDir, 'wallet.passphrase'), 'utf8').trim()
    const mnemonic = await readMnemonic(dataDir, [ownPassphrase])
    // The socket is gone with its service.
    expect(readdirSync(join(dataDir, 'sockets'))).toEqual([])
    const files = readdirSync(dataDir).filter((name) => name !== 'wallet.passphrase' && name !== 'sockets')
    expect(files).toContain('wallet.sqlite')
    // What it was given may reach its disk seconds later, or as it ends.
    await redis.restart()
    const events = keptByRedis()
    expect(events.join('')).toContain('wallet.')
    const kept = files.map((name) => readFileSync(join(dataDir, name), 'latin1'))
    const texts = [output, ...answers, ...events, ...kept].map((text) => text.toLowerCase())
    const secrets = [...secretsOf(mnemonic, accountId), ownPassphrase]
    const found = secrets.filter((each) => texts.some((text) => text.includes(each.toLowerCase())))
    expect(found).toEqual([])
    expect(output).toContain('Set your own in production')
  })

  test('exits with 1 and one sentence when its seed is missing or its passphrase is wrong', async () => {
    const folders = await Promise.all([tempDir(), tempDir()].map(startedBefore))
    const [opened, emptied] = folders as [string, string]
    rmSync(join(emptied, seedFileName))
    const wrongPassphrase = 'another long passphrase'
    const [wrong, gone] = await Promise.all(
      [
        startProcess(opened, { WALLET_PASSPHRASE: wrongPassphrase }),
        startProcess(emptied, { WALLET_PASSPHRASE: passphrase }),
      ].map(async (starting) => (await starting).ended()),
    )
    expect(wrong?.code).toBe(1)
    expect(wrong?.output).toContain(`The passphrase does not open ${join(opened, seedFileName)}`)
    expect(wrong?.output).not.toContain(wrongPassphrase)
    expect(gone?.code).toBe(1)
    expect(gone?.output).toContain('is missing, and wallets exist that need it')
  })

  test('cannot be dumped or debugged by others (Linux)', async () => {
    const script = `
      import { dlopen } from 'bun:ffi'
      import { protectMemory } from ${JSON.stringify(join(folder, 'src/keys/protect-memory.ts'))}
      const { symbols } = dlopen('libc.so.6', { prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' } })
      const before = symbols.prctl(3, 0, 0, 0, 0)
      protectMemory({ warn: (_, message) => console.log(message) })
      console.log(before, symbols.prctl(3, 0, 0, 0, 0))
    `
    const { stdout } = Bun.spawnSync([process.execPath, '-e', script])
    expect(stdout.toString().trim()).toBe('1 0')
  })
})
