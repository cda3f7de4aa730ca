// POST /assets by hand: Bun's own server, prepared SQL. `grouped` writes in batches as the service does, `single` gives each
// request a transaction of its own, in WAL with synchronous FULL.
import { Database } from 'bun:sqlite'
import { groupedWrites } from './grouped'

const [port, file = '', mode] = process.argv.slice(2)
const db = new Database(file)
db.run('PRAGMA cache_size = -16384')
const insertAsset = db.prepare('INSERT INTO assets VALUES (?1, ?2, ?3, ?4, NULL, ?5, NULL, ?6, ?6, NULL)')
const countAsset = db.prepare(
  `INSERT INTO counters VALUES ('assets', 1) ON CONFLICT (name) DO UPDATE SET total = total + 1`,
)

interface NewAsset {
  name: string
  code: string
  description: string
}

function write({ name, code, description }: NewAsset) {
  const id = Bun.randomUUIDv7()
  const now = new Date()
  insertAsset.run(id, name, name.toLowerCase(), code, description, now.getTime())
  countAsset.run()
  const at = now.toISOString()
  return { id, name, code, categoryId: null, description, staticValue: null, createdAt: at, updatedAt: at }
}

/** A transaction for each write. */
function singleWrites(): <T>(work: () => T) => Promise<T> {
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 4000'])
    db.run(`PRAGMA ${pragma}`)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  return async (work) => {
    begin.run()
    const result = work()
    commit.run()
    return result
  }
}

const store = mode === 'grouped' ? groupedWrites(db, file) : singleWrites()

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  async fetch(request) {
    if (request.method !== 'POST') return new Response('ready')
    const asset = (await request.json()) as NewAsset
    return Response.json(await store(() => write(asset)), { status: 201 })
  },
})
