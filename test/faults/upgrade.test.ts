// Databases of the member services from before they served their changes: their records count as changed once, their
// replicas are pulled anew, and what was under way goes on.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import type { Deps, ServiceDefinition } from '@bursar/http'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { definition as account } from '../../services/account/src/service'
import { definition as customer } from '../../services/customer/src/service'
import { definition as participant } from '../../services/participant/src/service'

const ids = ['01a20000-0000-7000-8000-000000000001', '01a20000-0000-7000-8000-000000000002'] as const
const createdAt = 1_700_000_000_000

/** A service's folder with a database of its first two migrations, filled by these statements. */
async function oldFolder(name: ServiceName, migrations: string, statements: string[]): Promise<string> {
  const [first, dataDir] = [tempDir(), tempDir()]
  cpSync(migrations, first, { recursive: true })
  const journal = join(first, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 2) }))
  const file = join(dataDir, `${services[name].slug}.sqlite`)
  await (await openStore({ service: name, file, migrations: first })).close()
  const database = new Database(file)
  for (const statement of statements) database.run(statement)
  database.close()
  return dataDir
}

/** The ids of what the service serves as changed. */
async function changesOf<D extends Deps>(name: ServiceName, definition: ServiceDefinition<D>, dataDir: string) {
  const service = await testService({ name, definition, dataDir })
  const { status, body } = await service.get(`/internal/${name}s/changes`, await service.asService('core-ledger'))
  expect(status).toBe(200)
  await service.close()
  return body.items.map(
    ({ record }: { record: { id?: string; account?: { id: string } } }) => record.account?.id ?? record.id,
  )
}

test('the customer service', async () => {
  const statements = [
    ...ids.map((id) => `INSERT INTO customers VALUES ('${id}', 'ext-${id}', 'active', 3, ${createdAt})`),
    `INSERT INTO accounts VALUES ('${ids[0]}', '${ids[1]}')`,
  ]
  const dataDir = await oldFolder('customer', customer().migrations, statements)
  expect(await changesOf('customer', customer(), dataDir)).toEqual([...ids])
})

test('the account service', async () => {
  const statements = [
    ...ids.map(
      (id) =>
        `INSERT INTO accounts VALUES ('${id}', NULL, NULL, NULL, NULL, 'STABLECOINS', 'active', 'Main', NULL, NULL, 2, ${createdAt})`,
    ),
    `INSERT INTO customers VALUES ('${ids[0]}', 'ext')`,
  ]
  const dataDir = await oldFolder('account', account().migrations, statements)
  expect(await changesOf('account', account(), dataDir)).toEqual([...ids])
})

test('the participant service; a participant that callers have not seen is not served', async () => {
  const row = (id: string, live: number) =>
    `INSERT INTO participants VALUES ('${id}', ${live}, 'Bank', 'bank', 'hash-${id}', 'sealed', NULL, NULL, NULL, NULL, 1, ${createdAt}, ${createdAt}, NULL)`
  const statements = [
    row(ids[0], 1),
    row(ids[1], 0),
    `INSERT INTO sagas VALUES ('${ids[1]}', '${ids[1]}', 'create', 'running', 0, NULL, '[]', 'hash', NULL, NULL, 0, NULL, ${createdAt}, NULL)`,
  ]
  const dataDir = await oldFolder('participant', participant({ dataDir: tempDir() }).migrations, statements)
  const definition = participant({ dataDir })
  expect(await changesOf('participant', definition, dataDir)).toEqual([ids[0]])
  // The unfinished saga is due: it has no steps, so that its participant is there after one run.
  const service = await testService({ name: 'participant', definition, dataDir })
  await service.deps.sagas.resumeDue()
  const { body } = await service.get(`/internal/participants/${ids[1]}`, await service.asService('core-ledger'))
  expect(body.id).toBe(ids[1])
  await service.close()
})
