// `bun run rotate wallet`: the seed gets another passphrase while the wallet service runs, and opens at whatever moment that ends.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyLines } from '@bursar/http/key-file'
import { tempDir } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { secretsIn } from '../../scripts/backup/contents'
import { type PassphraseRotation, passphraseIn, rotatePassphrase } from '../../scripts/rotate/passphrase'
import { passphraseFileName, passphrasesOf } from '../../services/wallet/src/keys/passphrase'
import { createSeedFile, nextSeedFileName, openKeys, seedFileName } from '../../services/wallet/src/keys/seed-file'
import { runCommand } from '../commands'

const now = new Date('2026-01-31T12:00:00.000Z')
const until = new Date('2026-02-01T12:00:00.000Z')
const cost = 2 ** 4

let dataDir: string
let fingerprint: string

const fingerprintOf = async (folder: string, given?: string, adopt = false) =>
  (await openKeys(folder, passphrasesOf(folder, given), { adopt })).fingerprint
const rotate = (more: Partial<PassphraseRotation> = {}) =>
  rotatePassphrase({ dataDir, given: undefined, next: undefined, until, now, cost, ...more })
const lines = () => keyLines(readFileSync(join(dataDir, passphraseFileName), 'utf8')) ?? []
const first = () => lines()[0]?.key ?? ''

describe('where the first start made the passphrase', () => {
  beforeEach(async () => {
    dataDir = tempDir()
    await createSeedFile(dataDir, passphrasesOf(dataDir, undefined)[0], { now, cost })
    fingerprint = await fingerprintOf(dataDir)
  })

  test('the new one alone opens the seed; the one before stays for backups under way, until the next rotation', async () => {
    const old = first()
    expect(await rotate()).toStartWith('wallet.seed.json opens by the new passphrase of wallet.passphrase alone')
    expect(lines().slice(1)).toEqual([{ key: old, until }])
    expect(openKeys(dataDir, [old])).rejects.toThrow('The passphrase does not open')
    expect((await openKeys(dataDir, [first()])).fingerprint).toBe(fingerprint)
    await rotate({ now: until, until: new Date('2026-03-01T12:00:00.000Z') })
    expect(lines()).toHaveLength(2)
    expect(lines().map(({ key }) => key)).not.toContain(old)
    expect(await fingerprintOf(dataDir)).toBe(fingerprint)
  })

  test('a rotation that ends at any of its writes leaves a seed that opens, and is finished by the next', async () => {
    const old = first()
    const files = [passphraseFileName, seedFileName]
    // Where a file is to be written a folder stands: the first time before anything, then after the new passphrase is known.
    for (const [inTheWay, know] of [
      [passphraseFileName, 1],
      [seedFileName, 2],
      [passphraseFileName, 2],
    ] as const) {
      mkdirSync(join(dataDir, `${inTheWay}.new`))
      expect(rotate()).rejects.toThrow()
      expect([inTheWay, lines().length, first()]).toEqual([inTheWay, know, old])
      expect(await fingerprintOf(dataDir)).toBe(fingerprint)
      rmdirSync(join(dataDir, `${inTheWay}.new`))
    }
    // The seed is under the next passphrase already.
    expect(openKeys(dataDir, [old])).rejects.toThrow('The passphrase does not open')
    const prepared = lines()[1]?.key
    await rotate()
    expect([first(), lines()[1]?.key]).toEqual([prepared ?? '', old])
    expect(await fingerprintOf(dataDir)).toBe(fingerprint)
    expect(files.filter((name) => existsSync(join(dataDir, `${name}.new`)))).toEqual([])
  })

  test('a backup that is taken meanwhile opens, whichever file it has copied already', async () => {
    const copyAll = (folder: string, names: readonly string[]) => {
      for (const name of names) copyFileSync(join(dataDir, name), join(folder, name))
    }
    for (let copied = 0; copied <= 2; copied++) {
      const folder = tempDir()
      const names = secretsIn(dataDir)
      expect(names.toSorted()).toEqual([passphraseFileName, seedFileName])
      copyAll(folder, names.slice(0, copied))
      await rotate()
      copyAll(folder, names.slice(copied))
      expect([copied, await fingerprintOf(folder)]).toEqual([copied, fingerprint])
    }
  })

  test('two at once: the second is refused, and changes nothing', async () => {
    const [one, other] = await Promise.allSettled([rotate(), rotate()])
    expect([one.status, other.status]).toEqual(['fulfilled', 'rejected'])
    expect(lines()).toHaveLength(2)
    expect(await fingerprintOf(dataDir)).toBe(fingerprint)
  })
})

describe('where WALLET_PASSPHRASE is set', () => {
  const [old, next] = ['an old passphrase', 'a new passphrase']

  beforeEach(async () => {
    dataDir = tempDir()
    await createSeedFile(dataDir, old, { now, cost })
    fingerprint = await fingerprintOf(dataDir, old)
  })

  test('both open the seed until a start with the new one', async () => {
    expect(await rotate({ given: old, next })).toStartWith('The seed opens by both passphrases now.')
    for (const [given, adopt] of [
      [old, true],
      [next, false],
      [old, true],
      [next, true],
    ] as const)
      expect(await fingerprintOf(dataDir, given, adopt)).toBe(fingerprint)
    expect(secretsIn(dataDir)).toEqual([seedFileName])
    expect(await fingerprintOf(dataDir, next)).toBe(fingerprint)
    expect(fingerprintOf(dataDir, old)).rejects.toThrow('The passphrase does not open')
  })

  test('another choice replaces one that was not used', async () => {
    await rotate({ given: old, next: 'a first choice' })
    await rotate({ given: old, next })
    expect(fingerprintOf(dataDir, 'a first choice')).rejects.toThrow('The passphrase does not open')
    expect(await fingerprintOf(dataDir, next)).toBe(fingerprint)
  })

  test('a damaged next file does not keep the old one from opening, and none opens a wrong one', async () => {
    writeFileSync(join(dataDir, nextSeedFileName), 'half')
    expect(await fingerprintOf(dataDir, old, true)).toBe(fingerprint)
    expect(fingerprintOf(dataDir, next, true)).rejects.toThrow('The passphrase does not open')
    expect(existsSync(join(dataDir, nextSeedFileName))).toBe(true)
  })

  test('one that is too short, or in use, is refused', () => {
    const file = join(tempDir(), 'passphrase')
    writeFileSync(file, 'too short\n')
    expect(() => passphraseIn(file, old)).toThrow('must hold a passphrase of 12 characters or more')
    writeFileSync(file, `${old}\n`)
    expect(() => passphraseIn(file, old)).toThrow('holds the passphrase that is in use')
    writeFileSync(file, `${next}\n`)
    expect(passphraseIn(file, old)).toBe(next)
  })
})

describe('by its command, while the services run', () => {
  let platform: TestPlatform

  beforeAll(async () => {
    platform = await testPlatform(['gateway', 'wallet', 'account', 'customer'])
  })
  afterAll(() => platform?.close())

  async function command(env: Record<string, string>, ...args: string[]) {
    const { code, out, error } = await runCommand('rotate', args, {
      env: { PATH: process.env.PATH, ...platform.env, ...env },
    })
    return { code, out, error }
  }

  test('the wallets are the same, a restart opens them, and the audit trail has it', async () => {
    const customer = await platform.to('customer').create('/customers', { externalId: 'c', status: 'active' })
    const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
    const { id } = await platform.to('account').create('/accounts', account)
    await platform.settle()
    const address = async () =>
      (await platform.to('wallet').get(`/wallets/account/${id}/network/ethereum?createIfNotExists=true`)).body.address
    const before = await address()
    expect(await command({}, 'wallet')).toEqual({
      code: 0,
      error: '',
      out: expect.stringContaining('opens by the new passphrase'),
    })
    expect(await address()).toBe(before)
    await platform.stop('wallet')
    await platform.start('wallet')
    expect(await address()).toBe(before)
    const gateway = new Database(join(platform.dataDir, 'gateway.sqlite'), { readonly: true })
    const acts = gateway.query(`SELECT action, object FROM audit_trail WHERE action = 'ROTATE wallet'`).all()
    gateway.close()
    expect(acts).toEqual([{ action: 'ROTATE wallet', object: seedFileName }, expect.anything()])

    const file = join(tempDir(), 'next')
    writeFileSync(file, 'another passphrase\n')
    const [WALLET_PASSPHRASE] = passphrasesOf(platform.dataDir, undefined)
    expect(await command({ WALLET_PASSPHRASE }, 'wallet')).toMatchObject({
      code: 2,
      error: 'WALLET_PASSPHRASE is set: name a file with the new passphrase by --to\n',
    })
    expect((await command({}, 'wallet', '--to', file)).code).toBe(2)
    expect((await command({}, 'quote', '--to', file)).error).toBe('--to is for wallet alone\n')
    expect(await command({ WALLET_PASSPHRASE }, 'wallet', '--to', file)).toMatchObject({ code: 0, error: '' })
    expect((await command({}, '--status')).out).toContain(`${seedFileName}: a new passphrase is prepared`)
    for (const given of [WALLET_PASSPHRASE, 'another passphrase'])
      expect((await openKeys(platform.dataDir, [given])).fingerprint).not.toBe('')
  })
})
