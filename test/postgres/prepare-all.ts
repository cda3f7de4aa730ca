// `TEST_DATABASE_URL=postgres://… bun test/postgres/prepare-all.ts`: makes the tables of each service on the server, in a schema
// of their own, and has each of its declared statements prepared there: with the first service those that all have in common.
// Prints one JSON line: how many all have in common; by service how many it has besides, and what the server says of those that
// it refuses; and how it would run those of pages of the log by request id.
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
const pages: string[] = []
for (const service of Object.keys(services)) prepared[service] = await prepareAll(service)
process.stdout.write(`${JSON.stringify({ common, prepared, pages })}\n`)
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
  if (service === 'log-tracker') pages.push(...(await plansOfPages(client, texts)))
  await run(`DROP SCHEMA ${schema} CASCADE`)
  await client.close()
  return { statements: declaredCount() - before, refused }
}

/** The plans of statements that read a page along the index of request ids, whatever their values are. */
async function plansOfPages(client: Bun.SQL, texts: readonly string[]): Promise<string[]> {
  const run = (text: string) => client.unsafe(text).simple()
  await run(`INSERT INTO log_series OVERRIDING SYSTEM VALUE
    SELECT i, 's' || i % 16, 't' || i % 17, 'status' || i % 3, 0 FROM generate_series(1, 816) AS i`)
  await run(`INSERT INTO log_messages (id, series_id, request_id, timestamp, metadata)
    SELECT i, 1 + i % 816, md5(i::text), i, '{}' FROM generate_series(1, 100000) AS i`)
  await run('VACUUM ANALYZE log_messages')
  await run('ANALYZE log_series')
  await run('SET plan_cache_mode TO force_generic_plan')
  const plans: string[] = []
  for (const [i, text] of texts.entries()) {
    if (!/ order by \S*"request_id" /.test(text) || text.includes(' join ')) continue
    const values = new Set(text.match(/\$\d+/g)).size
    const rows = await client
      .unsafe(`EXPLAIN EXECUTE p${i} (${Array(values).fill('NULL').join()})`)
      .simple()
      .values()
    plans.push(rows.join('\n'))
  }
  return plans
}
