// `TEST_DATABASE_URL=postgres://… bun test/postgres/prepare-all.ts SERVICE`: makes the tables of a service on the server, in a schema of
// their own, and has each of its declared statements prepared there. Prints one JSON line: how many there are, and what the
// server says of those that it refuses.
import { join } from 'node:path'
import { sharedTables, statementTexts } from '@bursar/store/declared'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'

const [service = ''] = process.argv.slice(2)
const source = join(import.meta.dir, '../../services', service, 'src')
const tables: Record<string, unknown> = { ...sharedTables }
for (const name of new Bun.Glob('**/*.table.ts').scanSync(source))
  Object.assign(tables, await import(join(source, name)))
await import(join(source, 'service.ts'))

const schema = `prepared_${crypto.randomUUID().replaceAll('-', '')}`
const empty = generateDrizzleJson({}, undefined, undefined, 'snake_case')
const wanted = generateDrizzleJson(tables, empty.id, undefined, 'snake_case')
const client = new Bun.SQL(process.env.TEST_DATABASE_URL ?? '', { max: 1 })
const run = (text: string) => client.unsafe(text).simple()
await run(`CREATE SCHEMA ${schema}`)
await run(`SET search_path TO ${schema}`)
for (const statement of await generateMigration(empty, wanted)) {
  await run(statement.replaceAll('"public".', `"${schema}".`))
}
await run(`CREATE TABLE ${schema}.__health (id bigint PRIMARY KEY, checked_at bigint NOT NULL)`)
const refused: { text: string; why: string }[] = []
const texts = statementTexts(schema)
for (const [i, text] of texts.entries()) {
  try {
    await run(`PREPARE p${i} AS ${text}`)
  } catch (error) {
    refused.push({ text, why: error instanceof Error ? error.message : String(error) })
  }
}
await run(`DROP SCHEMA ${schema} CASCADE`)
await client.close()
process.stdout.write(`${JSON.stringify({ statements: texts.length, refused })}\n`)
process.exit(0)
