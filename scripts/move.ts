/** `bun run move`: copies the databases of a stopped stack to a PostgreSQL server. */
import { environment } from '@bursar/http/environment'
import { dataDirOption, runCommand } from './stack/command'

const help = `Usage: bun run move --to <postgres url> [--data-dir <folder>] [--without-redis]

Copies the databases of all services from the data folder into an empty database of a PostgreSQL server (15 or later), a schema
each. Stop the stack first: a folder in use is refused. The files are not changed.

Each table is read back and compared with its file: rows, a checksum of them, sums of amounts. Then the books are audited there,
their seals and the audit trail recomputed. Only when all agrees services find the schemas, all at once. If it ends before, nothing
is there: run it again. Afterwards the folder has a file ${'`moved.run`'}, and services refuse to start with its databases.

Events that wait in Redis are copied too: REDIS_URL, or the Redis of the data folder, which is started for that.

  --to <postgres url>   postgres://user:password@host:5432/database (DATABASE_URL, which a file may hold)
  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --without-redis       continues without a Redis: events that wait there are then lost
  --help                this text

Keys and the wallets' seed are settings there: bun run keys writes them.
`

const options = {
  to: { type: 'string' },
  ...dataDirOption,
  'without-redis': { type: 'boolean', default: false },
} as const

await runCommand({ name: 'move', help, options }, async (values) => {
  // Before anything of the store is loaded: the tables of a process are of one engine.
  if (values.to) process.env.DATABASE_URL = values.to
  const url = environment().DATABASE_URL
  if (!url) throw new Error('Name the server: bun run move --to postgres://user:password@host:5432/database')
  const [{ moveTo }, { dataDirOf }] = await Promise.all([import('./move/move-to'), import('./stack/place')])
  const dataDir = dataDirOf(values['data-dir'])
  await moveTo({ url, dataDir, withRedis: !values['without-redis'], env: environment(), say: console.log })
})
// Connections that failed may hold it.
process.exit()
