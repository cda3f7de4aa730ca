// Withdrawals that ended long ago, in the databases of the wallet and the blockchain service: copies of some that were really
// made, each under an id and a hash of its own.
import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { join } from 'node:path'

type Row = Record<string, SQLQueryBindings>

/** What of a withdrawal stands in a table: by which column it is found, and what a copy has of its own. */
interface Part {
  table: string
  by: string
  own: (copy: Copy, row: Row) => Row
}

interface Copy {
  id: string
  hash: string
  number: number
}

/** Of another kind: the ledger would ask about each that it does not know. */
const listed: Part['own'] = ({ id }) => ({ record_id: id, seq: null, kind: 'copy' })

const parts: Record<string, { ended: string; parts: Part[] }> = {
  'wallet.sqlite': {
    ended: "SELECT id, tx_hash AS hash FROM orders WHERE status = 'confirmed'",
    parts: [
      { table: 'orders', by: 'id', own: ({ id, hash }) => ({ id, tx_hash: hash }) },
      {
        table: 'signatures',
        by: 'order_id',
        own: ({ id, hash, number }) => ({ order_id: id, tx_hash: hash, nonce: -number }),
      },
      { table: 'changes', by: 'record_id', own: listed },
    ],
  },
  'blockchain.sqlite': {
    ended: "SELECT id, tx_hash AS hash FROM sends WHERE status = 'confirmed'",
    parts: [
      { table: 'sends', by: 'id', own: ({ id, hash, number }) => ({ id, tx_hash: hash, nonce: -number }) },
      {
        table: 'attempts',
        by: 'send_id',
        own: ({ id, hash, number }) => ({ send_id: id, tx_hash: hash, seq: null, nonce: -number }),
      },
      { table: 'changes', by: 'record_id', own: listed },
      {
        table: 'simulated_transactions',
        by: 'tx_hash',
        own: ({ hash, number }) => ({ tx_hash: hash, nonce: -number }),
      },
      { table: 'transfers', by: 'tx_hash', own: ({ hash }) => ({ id: Bun.randomUUIDv7(), tx_hash: hash }) },
    ],
  },
}

/** Adds so many to each database of a stack that is stopped, an hour older than now, with the receipts of their events. */
export function addEnded(dataDir: string, count: number): void {
  const copies = Array.from({ length: count }, (_, i): Copy => {
    const id = Bun.randomUUIDv7('hex', Date.now() - 3_600_000 + i)
    return { id, hash: `0x${new Bun.CryptoHasher('sha256').update(id).digest('hex')}`, number: i + 1 }
  })
  for (const [file, { ended, parts: all }] of Object.entries(parts)) {
    const database = new Database(join(dataDir, file))
    for (const pragma of ['journal_mode = MEMORY', 'synchronous = OFF', 'cache_size = -262144'])
      database.run(`PRAGMA ${pragma}`)
    const made = database.query<{ id: string; hash: string }, []>(ended).all()
    if (made.length === 0) throw new Error(`There is no ended withdrawal in ${file} to copy`)
    database.transaction(() => {
      for (const part of all) copyPart(database, part, made, copies)
      const receipt = database.prepare('INSERT INTO inbox (event_id, received_at) VALUES (?, ?)')
      for (let i = 0; i < count; i++) receipt.run(Bun.randomUUIDv7('buffer'), Date.now())
    })()
    database.close()
  }
}

function copyPart(
  database: Database,
  { table, by, own }: Part,
  made: readonly { id: string; hash: string }[],
  copies: readonly Copy[],
) {
  const find = database.prepare<Row, [string]>(`SELECT * FROM ${table} WHERE ${by} = ?`)
  const templates = made.map(({ id, hash }) => find.all(by === 'tx_hash' ? hash : id))
  const [first] = templates.flat()
  if (!first) throw new Error(`No withdrawal has a row in ${table}`)
  const names = Object.keys(first)
  const insert = database.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  for (const [i, copy] of copies.entries()) {
    for (const row of templates[i % templates.length] ?? []) {
      const added = { ...row, ...own(copy, row) }
      insert.run(...names.map((name) => added[name] ?? null))
    }
  }
}
