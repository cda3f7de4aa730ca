import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { type Config, config } from '../src/config'
import { createSeedFile, SeedError, seedFileName } from '../src/keys/seed-file'
import { definition } from '../src/service'
import { cheap, passphrase, testWallets } from './harness'
import { type Peers, startPeers } from './peers'

let peers: Peers
beforeAll(() => {
  peers = startPeers()
})
afterAll(() => peers.server.stop())

/** A start on a folder, with what it logs: the service, or the sentence that it ends with. */
async function startIn(dataDir: string, fields: Partial<Config> = { passphrase }) {
  const lines: string[] = []
  const told: string[] = []
  const log = {
    ...silentLog,
    warn: (_: object, message: string) => void lines.push(message),
    info: (_: object, message: string) => void told.push(message),
  }
  const made = definition({ ...config({ DATA_DIR: dataDir }), environment: 'production', ...fields })
  try {
    const service = await testService({
      name: 'wallet',
      definition: { ...made, deps: (common) => made.deps({ ...common, log }) },
      dataDir,
    })
    return { service, lines, told, fingerprint: service.deps.keys.fingerprint, problem: null }
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    return { service: null, lines, told, fingerprint: null, problem: error.message }
  }
}

/** A folder in which the service has run, with a wallet. */
async function used() {
  const service = await testWallets(peers)
  const wallet = await service.wallet(peers.account(), 'ethereum')
  await service.close()
  return { dataDir: service.dataDir, wallet, seed: join(service.dataDir, seedFileName) }
}

describe('the first start', () => {
  test('creates a seed under WALLET_PASSPHRASE, and logs that it needs a backup', async () => {
    const dataDir = tempDir()
    const { service, lines } = await startIn(dataDir)
    expect(lines).toEqual([
      'A new seed was made; without a backup of its file and its passphrase all wallets would be lost',
    ])
    expect(statSync(join(dataDir, seedFileName)).mode & 0o777).toBe(0o600)
    expect(existsSync(join(dataDir, 'wallet.passphrase'))).toBe(false)
    await service?.close()
  })

  test('in the sandbox logs both without a warning', async () => {
    const { service, lines, told } = await startIn(tempDir(), { environment: 'sandbox' })
    expect(lines).toEqual([])
    expect(told.join()).toContain('Set your own in production')
    expect(told.join()).toContain('A new seed was made')
    await service?.close()
  })

  test('without WALLET_PASSPHRASE creates one, and says that production must set its own', async () => {
    const dataDir = tempDir()
    const { service, lines, fingerprint } = await startIn(dataDir, {})
    expect(lines[0]).toContain('Set your own in production')
    const file = join(dataDir, 'wallet.passphrase')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await service?.close()
    const again = await startIn(dataDir, {})
    expect([again.lines, again.fingerprint]).toEqual([[], fingerprint])
    await again.service?.close()

    rmSync(file)
    expect((await startIn(dataDir, {})).problem).toContain('needs its passphrase: set WALLET_PASSPHRASE, or restore')
    expect(existsSync(file)).toBe(false)
  })

  test('refuses a short passphrase', () => {
    expect(() => config({ WALLET_PASSPHRASE: 'short' })).toThrow('WALLET_PASSPHRASE must have at least 12 characters')
    expect(config({ WALLET_PASSPHRASE: passphrase }).passphrase).toBe(passphrase)
    expect(config({}).passphrase).toBeUndefined()
  })

  test('accepts bounds of fees, and refuses invalid ones', () => {
    expect(config({}).mostEvmFee).toBe(5n * 10n ** 17n)
    expect(config({ WALLET_MAX_SOLANA_FEE: '0.5' }).mostSolanaFee).toBe(500_000_000n)
    expect(() => config({ WALLET_MAX_EVM_FEE: '-1' })).toThrow('WALLET_MAX_EVM_FEE must be a decimal number')
  })
})

describe('a later start', () => {
  test('has the same keys', async () => {
    const { dataDir, wallet } = await used()
    const service = await testWallets(peers, { dataDir })
    const [row] = await service.store.read.select().from((await import('../src/wallets/wallets.table')).wallets)
    expect(row?.address).toBe(wallet.address)
    await service.close()
  })

  test('refuses a wrong passphrase, and does not change the file', async () => {
    const { dataDir, seed } = await used()
    const before = readFileSync(seed, 'utf8')
    expect((await startIn(dataDir, { passphrase: 'something else' })).problem).toBe(
      `The passphrase does not open ${seed}: set WALLET_PASSPHRASE to the one it was made with`,
    )
    expect(readFileSync(seed, 'utf8')).toBe(before)
  })

  test('refuses a damaged file, and does not change it', async () => {
    const { dataDir, seed } = await used()
    const damaged = readFileSync(seed, 'utf8').replace(/"sealed": "./, '"sealed": "~')
    writeFileSync(seed, damaged)
    expect((await startIn(dataDir)).problem).toStartWith(`The seed file ${seed} is damaged`)
    expect(readFileSync(seed, 'utf8')).toBe(damaged)
  })

  test('creates no new seed if wallets exist', async () => {
    const { dataDir, seed } = await used()
    rmSync(seed)
    expect((await startIn(dataDir)).problem).toBe(
      `${seed} is missing, and wallets exist that need it: restore it from a backup`,
    )
    expect(existsSync(seed)).toBe(false)
  })

  test('accepts only the seed of the wallets', async () => {
    const [one, other] = [await used(), tempDir()]
    await createSeedFile(other, passphrase, cheap)
    copyFileSync(join(other, seedFileName), one.seed)
    expect((await startIn(one.dataDir)).problem).toContain('restore the file that belongs to them')
  })

  test('on an empty database gives the accounts their former addresses', async () => {
    const service = await testWallets(peers)
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'ethereum')
    await service.close()
    const fresh = tempDir()
    copyFileSync(join(service.dataDir, seedFileName), join(fresh, seedFileName))
    const again = await testWallets(peers, { dataDir: fresh })
    await again.wallet(peers.account(), 'ethereum')
    expect((await again.wallet(accountId, 'ethereum')).address).toBe(address)
    await again.close()
  })
})
