// Backups of every release are readable for ever: today's services start on its databases, and find every row.
import { describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { serviceNames } from '@bursar/contracts/services'
import type { Deps, ServiceDefinition } from '@bursar/http'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { databaseOf, lostRows, migrationsOf, releases, rowsOf } from './releases'

/** What a start may take away: events that were sent. */
const passing = ['outbox']

/** The wallet takes no database without the seed that its wallets come from: its store alone is opened. */
const storeAlone: ServiceName[] = ['wallet']

/** Starts today's service on that folder, as its process makes it, and ends it. */
async function startOn(name: ServiceName, dataDir: string, file: string): Promise<void> {
  if (storeAlone.includes(name)) {
    await (await openStore({ service: name, file, migrations: migrationsOf(name) })).close()
    return
  }
  const source = join(import.meta.dir, `../../services/${name}/src`)
  const { config } = await import(`${source}/config`)
  const { definition } = await import(`${source}/service`)
  const made: ServiceDefinition<Deps> = definition(config({ DATA_DIR: dataDir }))
  const service = await testService({ name, definition: made, dataDir })
  expect((await service.get('/health')).status).toBe(200)
  await service.close()
}

describe.each(releases())('a backup of release %s', (release) => {
  test.each(serviceNames)('of %s is read by the service of today, whole', async (name) => {
    const { dataDir, file } = databaseOf(release, name)
    const before = rowsOf(file)
    expect(before.size).toBeGreaterThan(0)
    await startOn(name, dataDir, file)
    for (const table of passing) before.delete(table)
    expect(lostRows(before, rowsOf(file))).toEqual([])
  })
})

describe('a later migration is noticed', () => {
  const [release = ''] = releases()

  test.each([
    ['that deletes a row', "DELETE FROM `customers` WHERE `id` LIKE '%1%'", ['a row of customers']],
    [
      'that empties a column',
      'UPDATE `customers` SET `status` = NULL WHERE `id` IS NULL; UPDATE `customers` SET `external_id` = `id`',
      ['a row of customers', 'a row of customers'],
    ],
    [
      'that drops a column',
      'ALTER TABLE `customers` DROP COLUMN `created_at`',
      ['a row of customers', 'a row of customers'],
    ],
    ['that drops a table', 'DROP TABLE `accounts`', ['table accounts']],
  ])('%s', async (_, statement, lost) => {
    const { file } = databaseOf(release, 'customer')
    const before = rowsOf(file)
    const migrations = tempDir()
    cpSync(migrationsOf('customer'), migrations, { recursive: true })
    const journal = join(migrations, 'meta/_journal.json')
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
    const [{ when, ...last }] = entries.slice(-1)
    const later = { ...last, idx: entries.length, when: when + 1, tag: '9999_later' }
    writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, later] }))
    writeFileSync(join(migrations, '9999_later.sql'), statement)
    await (await openStore({ service: 'customer', file, migrations })).close()
    expect(lostRows(before, rowsOf(file)).map((each) => each.split(':')[0])).toEqual(lost)
  })
})
