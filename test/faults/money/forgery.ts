// Changes of a ledger's database that keep its journal and its balances in agreement.
import type { Database } from 'bun:sqlite'
import type { State } from './recount/state'

/** An entry with both its balances, as the ledger itself would write it. */
export function post(
  database: Database,
  entry: { id: string; kind: string; assetId: string; debit: string; credit: string; amount: bigint },
): void {
  const { id, kind, assetId, debit, credit, amount } = entry
  database.run(
    'INSERT INTO journal (transaction_id, kind, asset_id, debit, credit, amount, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)',
    [id, kind, assetId, debit, credit, String(amount)],
  )
  const { seq } = database.query<{ seq: number }, []>('SELECT max(seq) AS seq FROM journal').get() ?? { seq: 0 }
  move(database, seq, { account: debit, assetId, by: -amount })
  move(database, seq, { account: credit, assetId, by: amount })
}

/** What is outside the books is added up behind the journal, and what is not added up yet is not taken off. */
const isFolded = (database: Database, seq: number): boolean =>
  seq <=
  (database
    .query<{ entries: number }, []>(
      "SELECT json_extract(value, '$.entries') AS entries FROM meta WHERE key = 'place of sums'",
    )
    .get()?.entries ?? 0)

function move(
  database: Database,
  seq: number,
  { account, assetId, by }: { account: string; assetId: string; by: bigint },
): void {
  if (/^(world|fees):/.test(account) && !isFolded(database, seq)) return
  const [part = '', name = ''] = account.split(':')
  const isOfAccount = part === 'available' || part === 'frozen'
  const [table, column, key, value] = isOfAccount
    ? ['balances', part, 'account_id', name]
    : ['system_balances', 'amount', 'name', account]
  const where = `WHERE ${key} = ? AND asset_id = ?`
  const row = database.query<{ held: string }, [string, string]>(`SELECT ${column} AS held FROM ${table} ${where}`)
  const held = BigInt(row.get(value, assetId)?.held ?? 0)
  database.run(`UPDATE ${table} SET ${column} = ? ${where}`, [String(held + by), value, assetId])
}

/** Takes an entry back without a trace. */
export function unpost(database: Database, { seq, debit, credit, assetId, amount }: State['journal'][number]): void {
  database.run('DELETE FROM journal WHERE seq = ?', [seq])
  move(database, seq, { account: debit, assetId, by: amount })
  move(database, seq, { account: credit, assetId, by: -amount })
}

export function insertLike(database: Database, id: string, changes: Record<string, string | null>): string {
  const row = database.query<Record<string, string>, [string]>('SELECT * FROM transactions WHERE id = ?').get(id)
  const copy: Record<string, string | null> = { ...row, id: Bun.randomUUIDv7(), ...changes }
  const names = Object.keys(copy)
  database.run(
    `INSERT INTO transactions (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    names.map((name) => copy[name] ?? null),
  )
  return copy.id ?? ''
}
