// The alerts and the dashboard over a platform as it runs: every figure that they name exists, a sound platform is quiet,
// and a fault that is really made fires its alert.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDeadLetters } from '@bursar/bus'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { startService } from '@bursar/http'
import { openReadOnly, openStore } from '@bursar/store'
import { freePort, inOrder, tempDir, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { config as ledgerConfig } from '../../services/core-ledger/src/config'
import { definition as ledgerDefinition } from '../../services/core-ledger/src/service'
import { config as trackerConfig } from '../../services/log-tracker/src/config'
import { newestHead } from '../../services/log-tracker/src/ledger-heads/ledger-heads'
import { recordLogMessages } from '../../services/log-tracker/src/log-messages/record-log-messages'
import {
  definition as trackerDefinition,
  migrations as trackerMigrations,
} from '../../services/log-tracker/src/service'
import { lineOfServices } from '../commands'
import { queries } from '../deploy/dashboard'
import { firing, hasPromtool, rules, type Series } from '../deploy/promtool'

let platform: TestPlatform
/** The figures before any fault. */
let first = ''
let accountId = ''
let assetId = ''
/** Not of this platform: the list that comes with the project may be old, and the tests before may have filled the memory. */
const ofOthers = ['BursarSanctionsListOld', 'BursarMemory']

beforeAll(async () => {
  platform = await testPlatform([
    'gateway',
    'customer',
    'account',
    'wallet',
    'blockchain',
    'sanctions',
    'webhook',
    'core-ledger',
    'log-tracker',
  ])
  const eth = { code: 'ETH', name: 'Ether', decimalPlaces: 18, address: 'native', network: 'ethereum' }
  assetId = (await ledger().create('/assets', eth)).id
  const customer = await platform.to('customer').create('/customers', { externalId: 'c', status: 'active' })
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  accountId = (await platform.to('account').create('/accounts', account)).id
  await platform.settle()
  first = await until(async () => {
    const figures = await figuresAt(allFigures())
    return running.every((name) => figures.includes(`bursar_up{service="${name}"} 1\n`)) && figures
  })
})
afterAll(() => platform.close())

const ledger = () => platform.to('core-ledger')
const allFigures = () => `${platform.url('gateway')}/metrics/all`
const figuresAt = (url: string): Promise<string> => fetch(url).then((answer) => answer.text())
const fileOf = (name: string) => join(platform.dataDir, name)

/** Series of a scrape as Prometheus would have them, each with its one value for an hour; rounds go on. */
async function scrape(url = allFigures()): Promise<Series[]> {
  const samples = (await figuresAt(url)).split('\n').flatMap((line): Series[] => {
    const [, name, labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) return []
    const values = name.endsWith('_rounds') ? `${value}+1x60` : `${value}x60`
    return [[`${name}{job="bursar",${labels.replace(/,$/, '')}}`, values]]
  })
  return [['up{job="bursar"}', '1x60'], ...samples]
}

/** Those of the services that this platform does not have. */
const isMissing = ([series]: Series) =>
  series.startsWith('bursar_up') && !['gateway', ...running].some((name) => series.includes(`service="${name}"`))
const running = ['customer', 'account', 'wallet', 'blockchain', 'sanctions', 'webhook', 'core-ledger', 'log-tracker']

/** The alerts that fire when all stays for twenty minutes as it is now. */
async function alertsNow(url?: string): Promise<string[]> {
  const series = (await scrape(url)).filter((each) => !isMissing(each))
  return (await firing(series, 20)).filter((alert) => !ofOthers.includes(alert))
}

/** These fire, and no other, once all have answered: on a busy machine a service, or its Redis, may be late for a scrape. */
async function become(alerts: readonly string[]): Promise<void> {
  let found: string[] = []
  const areThose = async () => {
    found = await alertsNow()
    return Bun.deepEquals(found, alerts)
  }
  await until(areThose, { what: 'the alerts' }).catch(() => {})
  expect(found).toEqual([...alerts])
}

/** Whether the tracker has a sealed head of the ledger. */
async function isKnown(): Promise<boolean> {
  const tracker = openReadOnly(fileOf('tracker.sqlite'))
  try {
    return (await newestHead(tracker.read)).lastSeq > 0
  } finally {
    tracker.close()
  }
}

const namesIn = (expression: string): string[] =>
  [...expression.replaceAll(/"[^"]*"/g, '').matchAll(/\b(?:bursar|http|process)_\w+/g)].map(([name]) => name)

test('each figure that an alert or a panel names is one that a service gives', () => {
  const given = new Set([...first.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name))
  const expressions = [...rules().map(({ expr }) => expr), ...queries()]
  const used = expressions.flatMap(namesIn)
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((name) => !given.has(name))).toEqual([])
  const labels = new Set(['job', 'service', ...[...first.matchAll(/[{,](\w+)="/g)].map(([, name]) => name)])
  const asked = expressions.flatMap((expr) => [
    ...[...expr.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, names = '']) => names.split(', ')),
    ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, name = '']) => name),
  ])
  expect(asked.filter((name) => !labels.has(name))).toEqual([])
})

describe.skipIf(!hasPromtool)('faults', () => {
  inOrder('that are made one after another', (step) => {
    step('a sound platform is quiet', async () => {
      await become([])
    })

    step('a service that is away', async () => {
      await platform.stop('webhook')
      await become(['BursarServiceDown'])
      await platform.start('webhook')
      await become([])
    })

    step('an event that nobody could handle', async () => {
      const box = await openDeadLetters({ url: platform.redis.url, service: 'log-tracker' })
      await box.queue.add('forged', { events: '[{"id":"1","name":"forged"}]', mac: '' }, { jobId: 'forged' })
      await until(async () => (await alertsNow()).includes('BursarDeadLetters'), {
        what: 'the alert',
      })
      await box.queue.obliterate({ force: true })
      await box.close()
    })

    step('a withdrawal that nobody carries out', async () => {
      const path = `/wallets/account/${accountId}/network/ethereum?createIfNotExists=true`
      const { address } = (await platform.to('wallet').get(path)).body
      await platform.to('blockchain').post('/simulated/ethereum/deposits', { address, asset: 'ETH', amount: '5' })
      const approved = async (type: string) => {
        const [found] = await until(async () => {
          const { body } = await ledger().get(`/transactions?type=${type}&status=PENDING`)
          return body.length > 0 && body
        })
        await ledger().post('/transactions/complete-screening', { id: found.id, isApproved: true })
        return found.id as string
      }
      const deposit = await approved('DEPOSIT')
      await until(async () => (await ledger().get(`/transactions/${deposit}`)).body.status === 'COMPLETED')
      await platform.stop('wallet')
      const destinationAddress = '0x742d35cc6634c0532925a3b844bc454e4438f44e'
      await ledger().create('/transactions/withdrawal', {
        accountId,
        assetId,
        network: 'ethereum',
        amount: '1',
        destinationAddress,
      })
      await approved('WITHDRAWAL')
      await become(['BursarServiceDown'])
      // It is approved since an hour.
      const database = new Database(fileOf('core.sqlite'))
      database.run('UPDATE work SET created_at = created_at - 3600000')
      database.close()
      await become(['BursarServiceDown', 'BursarWithdrawalStuck'])
      await platform.start('wallet')
      await become([])
    })

    step('an archive that cannot be written', async () => {
      await platform.stop('log-tracker')
      const store = await openStore({
        service: 'log-tracker',
        file: fileOf('tracker.sqlite'),
        migrations: trackerMigrations,
      })
      const old = { timestamp: '2020-01-01T00:00:00.000Z', request_id: 'old', service: 'wallet' }
      const entry: LogEntry = { ...old, status: 'SUCCESS', event_type: 'HEALTH_CHECK', metadata: {} }
      await store.commit((tx) => recordLogMessages(tx, [entry]))
      await store.close()
      // A file where a folder should be: also root cannot write there.
      const ARCHIVE_DIR = join(tempDir(), 'archive')
      writeFileSync(ARCHIVE_DIR, '')
      const config = trackerConfig({ ...platform.env, ARCHIVE_DIR })
      const running = await startService(config, { ...trackerDefinition(config), retireMs: 20 })
      await until(async () => (await alertsNow()).includes('BursarRetentionFails'), {
        what: 'the alert',
      })
      const health = await (await fetch(`${running.url}/health`)).json()
      expect(health).toMatchObject({
        status: 'degraded',
        waiting: [expect.stringContaining('old rows of log_messages cannot leave the database')],
      })
      rmSync(ARCHIVE_DIR)
      await become([])
      await running.stop()
      await platform.start('log-tracker')
    })

    step('a Redis that is gone', async () => {
      await platform.redis.stop()
      await ledger().create('/assets', { code: 'A', name: 'A', decimalPlaces: 2, address: 'native', network: 'a' })
      await until(async () => (await alertsNow()).includes('BursarCheckFailing'), { what: 'the alert' })
      const depth = (await scrape()).find(([series]) => /^bursar_outbox_depth.*core-ledger/.test(series))
      expect(Number.parseInt(depth?.[1] ?? '', 10)).toBeGreaterThan(0)
      await platform.redis.restart()
      await become([])
    })

    step('a ledger that was set back', async () => {
      const isSealed = async () => /^bursar_audit_unsealed_entries\S* 0$/m.test(await figuresAt(allFigures()))
      await until(isSealed)
      // At its start it sends its head.
      await platform.stop('core-ledger')
      await platform.start('core-ledger')
      await until(isKnown, { what: 'the head at the tracker' })
      await platform.stop('core-ledger')
      const kept = tempDir()
      const files = ['core.sqlite', 'core.sqlite-wal', 'core.sqlite-shm']
      for (const file of files) cpSync(fileOf(file), join(kept, file), { force: true, recursive: true })
      for (const file of files) rmSync(fileOf(file), { force: true })
      await platform.start('core-ledger')
      await become(['BursarBooksClosed'])
      await platform.stop('core-ledger')
      for (const file of files) {
        rmSync(fileOf(file), { force: true })
        cpSync(join(kept, file), fileOf(file), { recursive: true })
      }
    })

    step('an entry that was changed past the ledger', async () => {
      const database = new Database(fileOf('core.sqlite'))
      const triggers = database.query(`SELECT name FROM sqlite_master WHERE type = 'trigger'`).all() as {
        name: string
      }[]
      for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`)
      database.run('UPDATE journal_seals SET hash = substr(hash, 2) || substr(hash, 1, 1)')
      database.close()
      const config = ledgerConfig(platform.env)
      const running = await startService(config, ledgerDefinition(config, { auditMs: 20 }))
      await until(async () => (await alertsNow()).includes('BursarBooksDiffer'), {
        what: 'the alert',
      })
      await running.stop()
    })
  })

  const canMount = Bun.spawnSync(['unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stderr: 'ignore' })
  test.skipIf(canMount.exitCode !== 0)('a disk that is nearly full', async () => {
    const dataDir = tempDir()
    const port = await freePort()
    const shell = `mount -t tmpfs -o mode=700,size=64m none ${dataDir} && exec "$@"`
    const command = ['unshare', '-m', 'sh', '-c', shell, 'sh', ...lineOfServices('customer')]
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      CUSTOMER_PORT: String(port),
      REDIS_URL: 'redis://127.0.0.1:9',
    }
    const child = Bun.spawn(command, { env, stdout: 'ignore', stderr: 'ignore' })
    const url = `http://127.0.0.1:${port}/metrics`
    await until(() => fetch(url).then(({ ok }) => ok), { what: 'the service' })
    expect(await alertsNow(url)).toContain('BursarDiskFull')
    child.kill('SIGKILL')
    await child.exited
  })
})
