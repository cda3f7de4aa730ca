// `TEST_DATABASE_URL=postgres://… bun test/postgres/prepare-all.ts`: makes the tables of each service on the server, in a schema
// of their own, and has each of its declared statements prepared there: with the first service those that all have in common.
// Prints one JSON line: how many all have in common; by service how many it has besides, and what the server says of those that
// it refuses.
import { join } from 'node:path'
import '@bursar/http'
import { services } from '@bursar/contracts/services'
import { declaredCount, sharedTables, statementTexts } from '@bursar/store/declared'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'

interface Prepared {
  statements: number
  refused: { text: string; why: string }[]
}

const url = process.env.TEST_DATABASE_URL ?? ''
const schema = `prepared_${crypto.randomUUID().replaceAll('-', '')}`
const [first] = Object.keys(services)
const common = declaredCount()
const empty = generateDrizzleJson({}, undefined, undefined, 'snake_case')

const prepared: Record<string, Prepared> = {}
for (const service of Object.keys(services)) prepared[service] = await prepareAll(service)
process.stdout.write(`${JSON.stringify({ common, prepared })}\n`)
process.exit(0)

async function prepareAll(service: string): Promise<Prepared> {
  const source = join(import.meta.dir, '../../services', service, 'src')
  const before = declaredCount()
  const tables: Record<string, unknown> = { ...sharedTables }
  for (const name of new Bun.Glob('**/*.table.ts').scanSync(source))
    Object.assign(tables, await import(join(source, name)))
  await import(join(source, 'service.ts'))
  const texts = statementTexts(schema, service === first ? 0 : before)

  const client = new Bun.SQL(url, { max: 1 })
  const run = (text: string) => client.unsafe(text).simple()
  await run(`CREATE SCHEMA ${schema}`)
  await run(`SET search_path TO ${schema}`)
  const wanted = generateDrizzleJson(tables, empty.id, undefined, 'snake_case')
  const statements = await generateMigration(empty, wanted)
  for (const statement of statements) await run(statement.replaceAll('"public".', `"${schema}".`))
  await run(`CREATE TABLE ${schema}.__health (id bigint PRIMARY KEY, checked_at bigint NOT NULL)`)
  const refused: Prepared['refused'] = []
  for (const [i, text] of texts.entries()) {
    try {
      await run(`PREPARE p${i} AS ${text}`)
    } catch (error) {
      refused.push({ text, why: error instanceof Error ? error.message : String(error) })
    }
  }
  await run(`DROP SCHEMA ${schema} CASCADE`)
  await client.close()
  return { statements: declaredCount() - before, refused }
}
