// What a whole withdrawal costs at least: the rows that must be, in four databases, by prepared SQL and in batches; nine
// commits with a sync each, and a signature of its own for each. No HTTP, no broker, no checks.
import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { fdatasyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { signSecp256k1 } from '../../../services/wallet/src/keys/curves'

type Row = SQLQueryBindings[]

const address = '0x742d35cc6634c0532925a3b844bc454e4438f44e'
const key = new Uint8Array(32).fill(7)

/** The floor over databases in a folder: carries out so many withdrawals, in batches. */
export function withdrawalFloor(folder: string): (count: number, batch: number) => void {
  const ledger = file(folder, 'ledger', [
    'transactions (id TEXT PRIMARY KEY, account TEXT, status TEXT, amount TEXT, destination TEXT, verdict TEXT, hash TEXT, at INTEGER)',
    'journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, kind TEXT, debit TEXT, credit TEXT, amount TEXT, UNIQUE (id, kind))',
    'balances (account TEXT PRIMARY KEY, available TEXT, frozen TEXT)',
    'events (seq INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)',
  ])
  const sanctions = file(folder, 'sanctions', ['jobs (id TEXT PRIMARY KEY, subject TEXT, status TEXT, result TEXT)'])
  const wallet = file(folder, 'wallet', [
    'orders (id TEXT PRIMARY KEY, account TEXT, status TEXT, amount TEXT, destination TEXT, payer TEXT, hash TEXT)',
    'signatures (id TEXT PRIMARY KEY, nonce INTEGER, hash TEXT)',
  ])
  const chain = file(folder, 'chain', [
    'sends (id TEXT PRIMARY KEY, status TEXT, amount TEXT, destination TEXT, nonce INTEGER, hash TEXT)',
    'attempts (hash TEXT PRIMARY KEY, id TEXT, signed TEXT)',
  ])
  const begin = ledger.put('INSERT INTO transactions VALUES (?, ?, ?, ?, ?, NULL, NULL, ?)')
  const entry = ledger.put('INSERT INTO journal (id, kind, debit, credit, amount) VALUES (?, ?, ?, ?, ?)')
  const balance = ledger.put('INSERT OR REPLACE INTO balances VALUES (?, ?, ?)')
  const event = ledger.put('INSERT INTO events (text) VALUES (?)')
  const screened = ledger.put("UPDATE transactions SET status = 'APPROVED', verdict = ?2 WHERE id = ?1")
  const completed = ledger.put("UPDATE transactions SET status = 'COMPLETED', hash = ?2, at = ?3 WHERE id = ?1")
  const job = sanctions.put("INSERT INTO jobs VALUES (?, ?, 'pending', NULL)")
  const verdict = sanctions.put("UPDATE jobs SET status = 'completed', result = ?2 WHERE id = ?1")
  const order = wallet.put("INSERT INTO orders VALUES (?, ?, 'accepted', ?, ?, ?, NULL)")
  const signature = wallet.put('INSERT INTO signatures VALUES (?, ?, ?)')
  const paid = wallet.put("UPDATE orders SET status = 'confirmed', hash = ?2 WHERE id = ?1")
  const send = chain.put("INSERT INTO sends VALUES (?, 'accepted', ?, ?, NULL, NULL)")
  const attempt = chain.put('INSERT INTO attempts VALUES (?, ?, ?)')
  const sent = chain.put("UPDATE sends SET status = 'broadcast', nonce = ?2, hash = ?3 WHERE id = ?1")
  const confirmed = chain.put("UPDATE sends SET status = 'confirmed' WHERE id = ?")
  let nonce = 0

  return (count, batch) => {
    for (let done = 0; done < count; done += batch) {
      const ids = Array.from({ length: Math.min(batch, count - done) }, () => Bun.randomUUIDv7())
      const hashes = new Map<string, string>()
      const each = (write: (id: string, account: string) => void) => {
        for (const [i, id] of ids.entries()) write(id, `account ${i % 50}`)
      }
      ledger.commit(() =>
        each((id, account) => {
          begin(id, account, 'PENDING', '500000000000000000', address, Date.now())
          entry(id, 'hold', `available:${account}`, `frozen:${account}`, '500000000000000000')
          balance(account, '1000000000000000000000', '500000000000000000')
          event(JSON.stringify({ id, account, status: 'PENDING', amount: '0.5', destination: address }))
        }),
      )
      sanctions.commit(() => each((id) => job(id, address)))
      sanctions.commit(() => each((id) => verdict(id, JSON.stringify({ isSanctioned: false, sources: [] }))))
      ledger.commit(() => each((id) => screened(id, JSON.stringify({ isSanctioned: false, sources: [] }))))
      wallet.commit(() => each((id, account) => order(id, account, '500000000000000000', address, address)))
      chain.commit(() => each((id) => send(id, '500000000000000000', address)))
      wallet.commit(() =>
        each((id) => {
          const hash = new Bun.CryptoHasher('sha256').update(id).digest()
          const signed = Buffer.from(signSecp256k1(key, hash)).toString('hex')
          hashes.set(id, signed)
          signature(id, nonce++, hash.toString('hex'))
        }),
      )
      chain.commit(() =>
        each((id) => {
          attempt(`0x${id}`, id, hashes.get(id) ?? '')
          sent(id, nonce, `0x${id}`)
        }),
      )
      chain.commit(() => each((id) => confirmed(id)))
      wallet.commit(() => each((id) => paid(id, `0x${id}`)))
      ledger.commit(() =>
        each((id, account) => {
          completed(id, `0x${id}`, Date.now())
          entry(id, 'settlement', `frozen:${account}`, 'world:ethereum', '500000000000000000')
          balance(account, '1000000000000000000000', '0')
          event(JSON.stringify({ id, account, status: 'COMPLETED', amount: '0.5', hash: `0x${id}` }))
        }),
      )
    }
  }
}

/** A database whose commits are synced by hand, as the services' are. */
function file(folder: string, name: string, tables: string[]) {
  const path = join(folder, `${name}.sqlite`)
  const db = new Database(path, { create: true })
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL']) db.run(`PRAGMA ${pragma}`)
  for (const table of tables) db.run(`CREATE TABLE ${table}`)
  const log = openSync(`${path}-wal`, 'r')
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  return {
    put(text: string) {
      const statement = db.prepare(text)
      return (...values: Row) => void statement.run(...values)
    },
    commit(write: () => void) {
      begin.run()
      write()
      commit.run()
      fdatasyncSync(log)
    },
  }
}
