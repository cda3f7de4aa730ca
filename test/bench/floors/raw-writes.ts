// POST /assets by hand: Bun's own server, prepared SQL, WAL with synchronous FULL. `grouped` shares one transaction between
// the requests of one turn of the event loop, `single` gives each its own.
import { Database } from 'bun:sqlite'

const [port, file, mode] = process.argv.slice(2)
const db = new Database(file)
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -16384', 'wal_autocheckpoint = 4000']) {
  db.run(`PRAGMA ${pragma}`)
}
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
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

let waiting: (() => () => void)[] = []

function flush() {
  const batch = waiting
  waiting = []
  begin.run()
  const answers = batch.map((work) => work())
  commit.run()
  for (const answer of answers) answer()
}

function grouped(input: NewAsset): Promise<ReturnType<typeof write>> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(() => {
      const asset = write(input)
      return () => resolve(asset)
    })
  })
}

function single(input: NewAsset) {
  begin.run()
  const asset = write(input)
  commit.run()
  return asset
}

const store = mode === 'grouped' ? grouped : single

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  async fetch(request) {
    if (request.method !== 'POST') return new Response('ready')
    return Response.json(await store((await request.json()) as NewAsset), { status: 201 })
  },
})
