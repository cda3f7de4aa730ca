import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, type Db, desc, eq, getTableColumns, type Tx } from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { type LocalServer, localServer } from '@bursar/testing'
import { allowChanges, nobody } from '@bursar/testing/service'
import { assetTerms } from '../src/assets/asset-terms.table'
import { assets } from '../src/assets/assets.table'
import { auditAll } from '../src/audit/audit'
import { AuditDifference } from '../src/audit/audit-difference'
import { decisions } from '../src/decisions/decisions.table'
import { balances, systemBalances } from '../src/ledger/balances.table'
import { journal } from '../src/ledger/journal.table'
import { transactions } from '../src/movements/transactions.table'
import { foldAll } from '../src/reporting/fold-sums'
import { dailyTotals, holdings } from '../src/reporting/sums.table'
import { lastSeal } from '../src/seals/read-journal'
import { sealJournal } from '../src/seals/seal-journal'
import { seals } from '../src/seals/seals.table'
import { type Ledger, openLedger } from './harness'
import { complete, failIt, make, makeAsset, makeBench, rejectedDeposit, screen, withdrawalOf } from './steps'

type Table = typeof transactions
type Row = Record<string, unknown>
interface Guarded {
  name: string
  table: Table
  /** The columns of its primary key. */
  key: string[]
  /** What may change without being noticed, and of which rows. */
  mayChange?: (column: string, row: Row) => boolean
}

// Every column of these tables is guarded, but for those that change in an ordinary life as well.
const guarded = (
  [
    { name: 'journal', table: journal, key: ['seq'] },
    { name: 'balances', table: balances, key: ['accountId', 'assetId'] },
    { name: 'ledger accounts', table: systemBalances, key: ['name', 'assetId'] },
    { name: 'seals', table: seals, key: ['number'] },
    { name: 'daily totals', table: dailyTotals, key: ['day', 'accountType', 'assetId', 'network', 'kind'] },
    { name: 'holdings', table: holdings, key: ['accountType', 'assetId', 'network'] },
    {
      name: 'assets',
      table: assets,
      key: ['id'],
      mayChange: (column, { used }) =>
        // One that is marked as used before it is, is only kept from being changed.
        (column === 'used' && used === false) ||
        !['id', 'code', 'network', 'contractAddress', 'decimals', 'used', 'deletedAt'].includes(column),
    },
    { name: 'asset_terms', table: assetTerms, key: ['seq'] },
    { name: 'decisions', table: decisions, key: ['transactionId', 'number'] },
    {
      name: 'kept keys',
      table: idempotencyKeys,
      key: ['scope', 'key'],
      mayChange: (column) => column === 'createdAt',
    },
    {
      name: 'transactions',
      table: transactions,
      key: ['id'],
      mayChange: (column, { type, status }) =>
        ['updatedAt', 'phases', 'screeningData'].includes(column) ||
        (!hasEnded(type, status) && ['screeningApproved', 'rejectionReason', 'failureReason'].includes(column)) ||
        (!hasEnded(type, status) && type === 'WITHDRAWAL' && column === 'txHash'),
    },
  ] as { name: string; table: unknown; key: string[]; mayChange?: Guarded['mayChange'] }[]
).map((it) => it as Guarded)

/** Whether it has its second entry, with which its end is sealed. */
const hasEnded = (type: unknown, status: unknown) =>
  status === 'COMPLETED' || (type !== 'DEPOSIT' && (status === 'REJECTED' || status === 'FAILED'))

let ledger: Ledger
let wallet: LocalServer
beforeAll(async () => {
  wallet = localServer(() => Response.json({ isOwn: false }))
  ledger = await openLedger({ urls: { wallet: wallet.url } })
  await live(ledger)
})
afterAll(() => ledger.close().then(() => wallet.stop()))

/** Transactions of every type in every status, some made with an idempotency key, sealed in two blocks. */
async function live(of: Ledger): Promise<void> {
  const bench = await makeBench(of, '100')
  const other = await of.account()
  await sealJournal(of.deps)
  const withdraw = async (isApproved: boolean | null) => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await of.ask<{ id: string }>('POST', '/transactions/withdrawal', withdrawalOf(bench, '2'), key)
    if (isApproved !== null) await screen(of, body.id, isApproved)
    return body.id
  }
  await withdraw(null)
  await withdraw(false)
  await withdraw(true)
  await complete(of, await withdraw(true), '0xabc1')
  await failIt(of, await withdraw(true), 'no')
  await of.ask('POST', `/transactions/${await withdraw(false)}/reject-frozen-withdrawal`, { reason: 'no' })
  const anna = await of.as({ kind: 'user', subject: 'anna' })
  await of.ask('POST', `/transactions/${await withdraw(false)}/approve-frozen-withdrawal`, { note: 'seen' }, anna)
  const unused = await makeAsset(of)
  await of.ask('PATCH', `/assets/${unused}`, { code: 'RENAMED', decimals: 9 })
  await of.ask('DELETE', `/assets/${await makeAsset(of)}`)
  const transfer = { fromAccountId: bench.accountId, toAccountId: other.id, assetId: bench.assetId, amount: '3' }
  const { id } = await make(of, 'transfer', transfer)
  await screen(of, id, true)
  await complete(of, id)
  for (const end of [complete, (_: Ledger, back: string) => failIt(of, back, 'no'), null]) {
    const path = `/transactions/${await rejectedDeposit(of, bench)}/return`
    const { body: back } = await of.ask('POST', path, { reason: 'no' })
    await (end && screen(of, back.id, true))
    await end?.(of, back.id)
  }
  await rejectedDeposit(of, bench)
  await sealJournal(of.deps)
  await foldAll(of.store)
}

const verdict = (tx?: Tx) =>
  auditAll(tx ? { read: tx, snapshot: (body) => body(tx) } : ledger.store).then(
    () => 'right',
    (error: unknown) => (error instanceof AuditDifference ? 'found' : error),
  )

const rowsOf = async ({ table }: Guarded): Promise<Row[]> => (await ledger.store.read.select().from(table)) as Row[]

const isRow = ({ table, key }: Guarded, row: Row) => {
  const columns = getTableColumns(table) as unknown as Record<string, Table['id']>
  return and(...key.map((name) => eq(columns[name] as Table['id'], encoded(row[name]) as string)))
}
const encoded = (value: unknown) => (value instanceof Date ? value.getTime() : value)

/** What triggers refuse to change; who has the database need not heed them. */
const appendOnly = ['decisions', 'asset_terms']

/** What the audit says of a ledger that was tampered with so; afterwards it is as it was. */
async function afterwards(tamper: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  const undo = new Error('undo')
  let found: unknown
  const tampering = ledger.store.commit(async (tx) => {
    await allowChanges(tx, appendOnly)
    await tamper(tx)
    found = await verdict(tx)
    throw undo
  })
  await tampering.catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return found
}

const unique = new Set(['seq', 'number', 'lastSeq', 'last_seq'])
const random = (most: number) => 1 + Math.floor(Math.random() * most)

/** Another value of the same kind. */
function otherThan(value: unknown, column: { name: string; getSQLType(): string }): unknown {
  if (value instanceof Date) return new Date(value.getTime() + random(1e6))
  if (typeof value === 'boolean') return !value
  if (typeof value === 'bigint') return value + (Math.random() < 0.5 ? 1n : -1n) * BigInt(random(1e9))
  // Far from the others, which the database keeps apart.
  if (typeof value === 'number' && unique.has(column.name)) return value + 1000 * random(9)
  if (typeof value === 'number') return value + (Math.random() < 0.5 ? 1 : -1) * random(3)
  if (typeof value === 'string') return `${value}${random(9)}`
  if (/At$|_at$/.test(column.name)) return new Date(random(1e12))
  if (/approved/i.test(column.name)) return Math.random() < 0.5
  return /int/.test(column.getSQLType()) ? random(9) : `made up ${random(1e6)}`
}

test('books without tampering pass', async () => {
  expect(await verdict()).toBe('right')
  for (const it of guarded) expect((await rowsOf(it)).length).toBeGreaterThan(0)
})

describe.each(guarded.map((it) => [it.name, it] as const))('%s', (_, it) => {
  test('any single value that is changed is found', async () => {
    const unnoticed: unknown[] = []
    for (const row of await rowsOf(it)) {
      for (const [name, column] of Object.entries(getTableColumns(it.table))) {
        // A status that posts the same entries: see the tests of the audit.
        if (it.mayChange?.(name, row) || name === 'status') continue
        const value = otherThan(row[name], column)
        const change = { [name]: value } as never
        const found = await afterwards((tx) => tx.update(it.table).set(change).where(isRow(it, row)))
        if (found !== 'found') unnoticed.push([name, row[name], value, found])
      }
    }
    expect(unnoticed).toEqual([])
    expect(await verdict()).toBe('right')
  })

  test('any row that is deleted is found, and so are all', async () => {
    const unnoticed: unknown[] = []
    const rows = await rowsOf(it)
    for (const gone of [...rows.map((row) => [row]), rows]) {
      const found = await afterwards(async (tx) => {
        for (const row of gone) await tx.delete(it.table).where(isRow(it, row))
      })
      if (found !== 'found') unnoticed.push([gone, found])
    }
    expect(unnoticed).toEqual([])
  })
})

describe('an added row is found', () => {
  const additions: [string, (tx: Tx, rows: Rows) => Promise<unknown>][] = [
    ['an entry', (tx, { entry }) => tx.insert(journal).values({ ...entry, seq: undefined, kind: 'credit' })],
    [
      'a transaction',
      (tx, { transaction }) => tx.insert(transactions).values({ ...transaction, id: nobody, transferKey: null }),
    ],
    ['a balance', (tx) => tx.insert(balances).values({ accountId: 'a', assetId: 'b', available: 0n, frozen: 0n })],
    [
      'an account of the ledger',
      (tx) => tx.insert(systemBalances).values({ name: 'world:x', assetId: 'b', amount: 0n }),
    ],
    ['a seal', (tx, { seal }) => tx.insert(seals).values({ ...seal, number: undefined, lastSeq: 1e6 })],
    ['a total', (tx, { total }) => tx.insert(dailyTotals).values({ ...total, day: '2020-01-01' })],
    ['holdings', (tx, { held }) => tx.insert(holdings).values({ ...held, accountType: 'OMNIBUS' })],
    ['a decision', (tx, { decision }) => tx.insert(decisions).values({ ...decision, seq: -1, number: 9 })],
    ['terms of an asset', (tx, { terms }) => tx.insert(assetTerms).values({ ...terms, seq: undefined, code: 'NEW' })],
    ['an asset', (tx, { asset }) => tx.insert(assets).values({ ...asset, id: nobody, code: 'NEW' })],
    ['a kept key', (tx, { kept }) => tx.insert(idempotencyKeys).values({ ...kept, seq: -1, key: 'x' })],
  ]
  type Rows = Awaited<ReturnType<typeof rowsOfAll>>
  const first = <T>([row]: T[]): T => {
    if (!row) throw new Error('There is no row')
    return row
  }
  const rowsOfAll = async (db: Db) => ({
    entry: first(await db.select().from(journal).where(eq(journal.kind, 'hold'))),
    transaction: first(await db.select().from(transactions)),
    seal: first(await db.select().from(seals)),
    total: first(await db.select().from(dailyTotals)),
    held: first(await db.select().from(holdings)),
    kept: first(await db.select().from(idempotencyKeys)),
    decision: first(await db.select().from(decisions)),
    terms: first(await db.select().from(assetTerms)),
    asset: first(await db.select().from(assets)),
  })

  test.each(additions)('%s', async (_, add) => {
    const rows = await rowsOfAll(ledger.store.read)
    expect(await afterwards((tx) => add(tx, rows))).toBe('found')
  })
})

describe('a missing end is found', () => {
  const erasures: [string, (tx: Tx) => Promise<unknown>][] = [
    ['the last entry, with its transaction, its balances and the last seal', eraseLast],
    ['the last seal', async (tx) => tx.delete(seals).where(eq(seals.number, (await lastSeal(tx))?.number ?? 0))],
    ['the first seal', (tx) => tx.delete(seals).where(eq(seals.number, 1))],
    ['all decisions', (tx) => tx.delete(decisions)],
    ['all that was noted of assets', (tx) => tx.delete(assetTerms)],
    ['everything', async (tx) => void (await Promise.all(guarded.map(({ table }) => tx.delete(table))))],
  ]
  test.each(erasures)('%s', async (_, erase) => {
    expect(await afterwards(erase)).toBe('found')
  })

  /** As if a withdrawal had never been made: all that is left of it is that its numbers were given. */
  async function eraseLast(tx: Tx): Promise<void> {
    const [entry] = await tx
      .select()
      .from(journal)
      .where(eq(journal.kind, 'arrival'))
      .orderBy(desc(journal.seq))
      .limit(1)
    if (!entry) throw new Error('There is no entry')
    await tx.delete(journal).where(eq(journal.seq, entry.seq))
    await tx.delete(transactions).where(eq(transactions.id, entry.transactionId))
    const suspense = eq(systemBalances.name, 'suspense:ethereum')
    const world = eq(systemBalances.name, 'world:ethereum')
    const [held] = await tx.select().from(systemBalances).where(suspense)
    await tx
      .update(systemBalances)
      .set({ amount: (held?.amount ?? 0n) - entry.amount })
      .where(suspense)
    const [outside] = await tx.select().from(systemBalances).where(world)
    await tx
      .update(systemBalances)
      .set({ amount: (outside?.amount ?? 0n) + entry.amount })
      .where(world)
    const last = await lastSeal(tx)
    await tx.delete(seals).where(eq(seals.number, last?.number ?? 0))
  }
})

test('a block is sealed with the keys of its requests, each once', async () => {
  const sealed = await ledger.store.read.select().from(seals).orderBy(seals.number)
  expect(sealed.map(({ number, form, keys }) => [number, form, keys])).toEqual([
    [1, 4, 0],
    [2, 4, 7],
  ])
})
