import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { migrations } from '../../services/transaction-manager/src/service'

export interface PaymentsSize {
  /** Each with an account in each currency. */
  participants: number
  payments: number
  /** Half of all payments are the first participant's, and ten after each other have the same time. */
  skewed?: boolean
}

const start = Date.UTC(2026, 0, 1)
const everyMs = 20
export const seededCurrencies = ['USD', 'EUR', 'JPY'] as const

/** The ids that the script in wrk/ makes as well. */
export const participantId = (i: number): string => `01900000-0000-7000-8000-${hex(i)}`
/** The account of a participant in US dollars. */
export const bankId = (i: number, currency = 0): string => `0190000${1 + currency}-0000-7000-8000-${hex(i)}`
const custodianId = '01900009-0000-7000-8000-000000000000'
const hex = (i: number) => i.toString(16).padStart(12, '0')

/** Makes the transaction manager's database in a folder, by its own migrations: payments of all types, mostly completed. */
export async function seedPayments(folder: string, size: PaymentsSize): Promise<void> {
  const file = join(folder, 'transactions.sqlite')
  await (await openStore({ service: 'transaction-manager', file, migrations })).close()
  const db = new Database(file)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -262144']) db.run(`PRAGMA ${pragma}`)
  db.transaction(() => {
    fillBanks(db, size.participants)
    fillPayments(db, size)
  })()
  db.close()
}

function fillBanks(db: Database, participants: number) {
  const pfi = db.prepare(
    `INSERT INTO pfis (id, name, name_key, status, epoch, version) VALUES (?, ?, ?, 'APPROVED', 1, ?)`,
  )
  const account = db.prepare(
    `INSERT INTO bank_accounts (id, participant_id, account_number, routing_number, currency, custodian_bank_id,
       custodian_bank_name, epoch, version) VALUES (?, ?, '000123456789', '021000021', ?, ?, 'Custody Bank', 1, ?)`,
  )
  const line = db.prepare(
    `INSERT INTO credit_lines (participant_id, currency, "limit", reserved, drawn, updated_at)
     VALUES (?, 'USD', '1000000000000', '0', '0', ?)`,
  )
  for (let i = 0; i < participants; i++) {
    line.run(participantId(i), start)
    pfi.run(participantId(i), nameOf(i), nameOf(i).toLowerCase(), i + 1)
    for (const [place, currency] of seededCurrencies.entries()) {
      account.run(bankId(i, place), participantId(i), currency, custodianId, i * 3 + place + 1)
    }
  }
}

export const nameOf = (i: number): string =>
  `${['Harbour', 'Northwind', 'Lakeside', 'Summit', 'Atlas'][i % 5]} Bank ${i}`

/** The newest are still under way; of the others few were not completed. */
function statusOf(i: number, count: number): string {
  if (i > count * 0.99) return ['PENDING', 'IN_REVIEW', 'APPROVED', 'PROCESSING'][i % 4] as string
  return i % 50 === 0 ? (['REJECTED', 'CANCELLED', 'FAILED'][(i / 50) % 3] as string) : 'COMPLETED'
}

function fillPayments(db: Database, { participants, payments: count, skewed = false }: PaymentsSize) {
  const indexes = db
    .query<{ name: string; sql: string }, []>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payments' AND sql IS NOT NULL`,
    )
    .all()
  // An index that is made at the end is sorted once.
  for (const { name } of indexes) db.run(`DROP INDEX ${name}`)
  const insert = db.prepare(
    `INSERT INTO payments (id, type, status, amount, amount_key, currency, from_participant_id, from_participant_name,
       from_bank_id, from_custodian_id, to_participant_id, to_participant_name, to_bank_id, to_custodian_id, kind,
       reference, reference_key, uses_credit, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  )
  const kinds = {
    TRANSFER: 'transfer',
    DEPOSIT: 'deposit',
    WITHDRAWAL: 'withdrawal',
    DO_DEPOSIT: 'do-deposit',
  } as const
  const types = ['TRANSFER', 'TRANSFER', 'TRANSFER', 'DEPOSIT', 'WITHDRAWAL', 'DO_DEPOSIT'] as const
  for (let i = 0; i < count; i++) {
    const type = types[i % 6] as (typeof types)[number]
    const place = (i * 7919) % 3
    const at = start + (skewed ? Math.floor(i / 10) * 10 : i) * everyMs
    const amount = String(1 + ((i * 48271) % 2147483647))
    const key = amount + (seededCurrencies[place] === 'JPY' ? '0000' : '00')
    const one = skewed && i % 2 === 0 ? 0 : (i * 31 + (i >> 4)) % participants
    const other = (one + 1 + (i % (participants - 1))) % participants
    const from = type === 'TRANSFER' || type === 'WITHDRAWAL' ? partyOf(one, place) : [null, null, null, null]
    const to = type !== 'WITHDRAWAL' ? partyOf(other, place) : [null, null, null, null]
    insert.run(
      ...[Bun.randomUUIDv7('hex', at), type, statusOf(i, count), amount],
      ...[String(key.length).padStart(2, '0') + key, seededCurrencies[place] as string, ...from, ...to],
      ...[kinds[type], `REF-${i}`, `ref-${i}`, at, at + (i % 1000) * 60],
    )
  }
  for (const { sql } of indexes) db.run(sql)
  countPayments(db, `'*'`, `'*'`)
  countPayments(db, 'from_participant_id', `'*'`)
  countPayments(db, `'*'`, 'to_participant_id')
  countPayments(db, 'from_participant_id', 'to_participant_id')
}

function countPayments(db: Database, from: string, to: string) {
  db.run(`INSERT INTO payment_counts (from_id, to_id, type, status, currency, payments)
    SELECT ${from}, ${to}, type, status, currency, count(*) FROM payments
    WHERE ${from} IS NOT NULL AND ${to} IS NOT NULL GROUP BY ${from}, ${to}, type, status, currency`)
}

const partyOf = (i: number, currency: number) => [participantId(i), nameOf(i), bankId(i, currency), custodianId]
