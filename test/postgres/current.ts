// `bun test/postgres/current.ts`: what is missing in the migrations of each service, for the engine of this process: the SQL by
// which its newest snapshot would become its tables. One JSON line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { dialect } from '@bursar/store'
import { sharedTables, tablesInTwoTrees } from '@bursar/store/declared'
import * as kit from 'drizzle-kit/api'

const missing: Record<string, string[]> = {}
for (const service of Object.keys(services)) {
  const folder = join(import.meta.dir, '../../services', service)
  const tables: Record<string, unknown> = { ...sharedTables }
  for (const name of new Bun.Glob('src/**/*.table.ts').scanSync(folder))
    Object.assign(tables, await import(join(folder, name)))
  const migrations = join(folder, 'migrations', dialect === 'sqlite' ? 'sqlite' : 'postgres')
  const meta = join(migrations, 'meta')
  const newest = readdirSync(meta)
    .filter((name) => name.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)
  const snapshot = JSON.parse(readFileSync(join(meta, newest as string), 'utf8')) as never
  missing[service] = await stepsFrom(snapshot, tables)
  if (dialect === 'sqlite')
    missing[service].push(...tablesInTwoTrees(textsIn(migrations)).map((name) => `${name} in one tree`))
}
process.stdout.write(`${JSON.stringify(missing)}\n`)
process.exit(0)

function textsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'))
}

async function stepsFrom(snapshot: never, tables: Record<string, unknown>): Promise<string[]> {
  if (dialect === 'sqlite') {
    const wanted = await kit.generateSQLiteDrizzleJson(tables, undefined, 'snake_case')
    return await kit.generateSQLiteMigration(snapshot, wanted)
  }
  const wanted = kit.generateDrizzleJson(tables, undefined, undefined, 'snake_case')
  return await kit.generateMigration(snapshot, wanted)
}
