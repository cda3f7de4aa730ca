// `bun run --cwd services/<name> migrations --name what_it_is`: makes the migrations of the service's tables, by drizzle-kit, for SQLite and
// for PostgreSQL: the same changes, with the same names. What drizzle-kit cannot say of SQLite's tables is written into the new ones.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutRowId } from '@bursar/store/declared'

const engines = [{}, { DATABASE_URL: 'postgres://127.0.0.1/any' }]
const folder = join(process.cwd(), 'migrations/sqlite')
const texts = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sql')) : [])

const before = new Set(texts())
for (const engine of engines) {
  const { DATABASE_URL: _, ...env } = process.env
  const made = Bun.spawnSync(['drizzle-kit', 'generate', ...process.argv.slice(2)], {
    env: { ...env, ...engine },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if (made.exitCode !== 0) process.exit(made.exitCode)
}
for (const name of new Bun.Glob('src/**/*.table.ts').scanSync('.')) await import(join(process.cwd(), name))
for (const name of texts().filter((name) => !before.has(name))) {
  const file = join(folder, name)
  writeFileSync(file, withoutRowId(readFileSync(file, 'utf8')))
}
