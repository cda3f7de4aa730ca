import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { eq, type Tx } from '@bursar/store'
import { until } from '@bursar/testing'
import { auditAll } from '../src/audit/audit'
import { AuditDifference } from '../src/audit/audit-difference'
import { createAuditor } from '../src/audit/auditor'
import { balances, systemBalances } from '../src/ledger/balances.table'
import { journal } from '../src/ledger/journal.table'
import { transactions } from '../src/movements/transactions.table'
import { work } from '../src/movements/work.table'
import { foldAll } from '../src/reporting/fold-sums'
import { unsealed } from '../src/seals/read-journal'
import { sealBlock, sealing, sealJournal } from '../src/seals/seal-journal'
import { seals } from '../src/seals/seals.table'
import { type Ledger, openLedger } from './harness'
import { complete, depositOf, failIt, make, makeBench, screen, withdrawalOf } from './steps'

/** A ledger with transactions in every state, sealed. */
async function busyLedger() {
  const ledger = await openLedger()
  const bench = await makeBench(ledger, '100')
  const made = async (approved: boolean | null) => {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '2'))
    if (approved !== null) await screen(ledger, id, approved)
    return id
  }
  await made(null)
  await made(false)
  await complete(ledger, await made(true))
  await failIt(ledger, await made(true), 'no')
  const rejected = await made(false)
  await ledger.ask('POST', `/transactions/${rejected}/reject-frozen-withdrawal`)
  const deposit = await make(ledger, 'deposit', depositOf(bench, '7'))
  await screen(ledger, deposit.id, false)
  await ledger.ask('POST', `/transactions/${deposit.id}/reject-frozen-deposit`)
  await sealJournal(ledger.deps)
  await foldAll(ledger.store)
  return { ledger, bench, deposit: deposit.id, pending: await made(null) }
}

describe('the audit', () => {
  test('of correct books reports what it checked', async () => {
    const { ledger } = await busyLedger()
    const report = await auditAll(ledger.store)
    expect(report).toMatchObject({ entries: 12, sealed: 11, balances: 1, transactions: 8 })
    expect(await unsealed(ledger.store.read)).toBe(1)
    await ledger.close()
  })

  test('follows a chain of several blocks', async () => {
    const { ledger } = await busyLedger()
    await sealJournal(ledger.deps)
    expect(await ledger.store.read.$count(seals)).toBe(2)
    expect(await auditAll(ledger.store)).toMatchObject({ entries: 12, sealed: 12 })
    await ledger.close()
  })

  test('of an empty ledger finds nothing', async () => {
    const ledger = await openLedger()
    expect(await ledger.store.commit((tx) => sealBlock(tx, new Date()))).toBe(0)
    expect(await auditAll(ledger.store)).toMatchObject({ entries: 0, balances: 0, transactions: 0 })
    await ledger.close()
  })

  const tampering: [string, RegExp, (tx: Tx, of: Awaited<ReturnType<typeof busyLedger>>) => Promise<unknown>][] = [
    ['a balance that is one too high', /^Balance of account/, (tx) => tx.update(balances).set({ available: 95n })],
    [
      'a frozen part that was moved',
      /^Balance of account/,
      (tx) => tx.update(balances).set({ available: 0n, frozen: 9n }),
    ],
    ['a balance that is gone', /^0 account balances are stored, the entries make 1/, (tx) => tx.delete(balances)],
    [
      'a balance out of nothing',
      /^Balance of account extra/,
      (tx) => tx.insert(balances).values({ accountId: 'extra', assetId: 'x', available: 1n, frozen: 0n }),
    ],
    ['an account of the ledger’s own', /^(world|suspense):/, (tx) => tx.update(systemBalances).set({ amount: 1n })],
    ['an entry with another amount', /^Hash chain: entries 1 to 11/, (tx) => tx.update(journal).set({ amount: 5n })],
    [
      'an entry at another time',
      /^Hash chain/,
      (tx) =>
        tx
          .update(journal)
          .set({ createdAt: new Date(0) })
          .where(eq(journal.seq, 3)),
    ],
    ['an entry that is gone', /^Hash chain/, (tx) => tx.delete(journal).where(eq(journal.seq, 5))],
    ['a seal with another hash', /^Hash chain/, (tx) => tx.update(seals).set({ hash: 'ff' })],
    [
      'an entry that is not sealed yet',
      /^Entry 12 \(hold\) is not what transaction/,
      (tx) => tx.update(journal).set({ amount: 5n }).where(eq(journal.seq, 12)),
    ],
    [
      'an entry of another account',
      /^Entry 12 \(hold\)/,
      (tx) => tx.update(journal).set({ debit: 'available:other' }).where(eq(journal.seq, 12)),
    ],
    [
      'a transaction with another amount',
      /^Entry 12 \(hold\)/,
      (tx, { pending }) => tx.update(transactions).set({ amount: 1n }).where(eq(transactions.id, pending)),
    ],
    [
      'a transaction that is gone',
      /^Entry 12 belongs to transaction .*, which is not there/,
      (tx, { pending }) => tx.delete(transactions).where(eq(transactions.id, pending)),
    ],
    [
      'a status without its entry',
      /is a WITHDRAWAL COMPLETED, which posts hold and settlement; the journal has hold$/,
      (tx, { pending }) => tx.update(transactions).set({ status: 'COMPLETED' }).where(eq(transactions.id, pending)),
    ],
    [
      'a deposit that was let go',
      /is a DEPOSIT COMPLETED, which posts arrival and credit; the journal has arrival$/,
      (tx, { deposit }) => tx.update(transactions).set({ status: 'COMPLETED' }).where(eq(transactions.id, deposit)),
    ],
  ]
  test('finds an approved transaction without a row of work, and work on one that is not approved', async () => {
    const { ledger, bench, pending } = await busyLedger()
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '1'))
    await screen(ledger, id, true)
    await auditAll(ledger.store)
    await ledger.store.commit(async (tx) => void (await tx.update(work).set({ transactionId: pending })))
    const first = await auditAll(ledger.store).catch((error: unknown) => error)
    expect((first as Error).message).toBe(`Transaction ${pending} is PENDING and stands in the queue of work`)
    await ledger.store.commit(async (tx) => void (await tx.delete(work)))
    const second = await auditAll(ledger.store).catch((error: unknown) => error)
    expect(second).toBeInstanceOf(AuditDifference)
    expect((second as Error).message).toBe(`Transaction ${id} is APPROVED and does not stand in the queue of work`)
    await ledger.close()
  })

  test.each(tampering)('finds %s', async (_, message, tamper) => {
    const busy = await busyLedger()
    await busy.ledger.store.commit(async (tx) => void (await tamper(tx, busy)))
    const found = await auditAll(busy.ledger.store).catch((error: unknown) => error)
    expect(found).toBeInstanceOf(AuditDifference)
    expect((found as Error).message).toMatch(message)
    await busy.ledger.close()
  })
})

describe('the service', () => {
  test('audits itself in rounds while it works, and reports a difference', async () => {
    const { ledger, bench } = await busyLedger()
    const auditor = createAuditor({ pause: async () => {} })
    const working = Promise.all(
      Array.from({ length: 30 }, () => make(ledger, 'withdrawal', withdrawalOf(bench, '0.1'))),
    )
    for (let i = 0; i < 5; i++) await auditor.round(ledger.store)
    await working
    await auditor.round(ledger.store)
    await auditor.check()
    await ledger.store.commit(async (tx) => void (await tx.update(balances).set({ available: 1n })))
    await auditor.round(ledger.store)
    // Anybody may read the health: the details are for the log.
    await expect(auditor.check()).rejects.toThrow(/^books differ$/)
    expect(auditor.difference()).toMatch(/^Balance of account/)
    await ledger.close()
  })

  test('rests longer while the thread is busy, detected by rests that end late', async () => {
    const { ledger } = await busyLedger()
    // Each look at it finds a millisecond gone: how long a step takes does not depend on what else the machine does.
    let time = performance.now()
    const clock = spyOn(performance, 'now').mockImplementation(() => ++time)
    const restsOf = async (lateMs: number) => {
      const rests: number[] = []
      const pause = async (ms: number) => {
        rests.push(ms)
        time += ms + lateMs
      }
      const auditor = createAuditor({ pause })
      for (let round = 0; round < 3; round++) await auditor.round(ledger.store)
      return median(rests)
    }
    const [idle, busy] = [await restsOf(0), await restsOf(30)]
    clock.mockRestore()
    // Ten times as long as it was late, and that much only where a step itself is short.
    expect(busy).toBeGreaterThan(Math.min(5 * idle, idle + 150))
    await ledger.close()
  })

  test('has its figures in the metrics', async () => {
    const { ledger } = await busyLedger()
    const auditor = createAuditor({ pause: async () => {} })
    const rounds = auditor.start(ledger.deps)
    await auditor.round(ledger.store)
    const { body } = await ledger.ask<string>('GET', '/metrics')
    const figure = (name: string) => Number(body.match(new RegExp(`^bursar_audit_${name}\\{.*\\} (.*)$`, 'm'))?.[1])
    expect(['ok', 'rounds', 'entries', 'chain_entries', 'transactions', 'unsealed_entries'].map(figure)).toEqual([
      1, 1, 12, 11, 8, 1,
    ])
    await rounds.stop()
    await ledger.close()
  })

  test('seals its journal by itself', async () => {
    const { ledger } = await busyLedger()
    const sealer = sealing(ledger.deps)
    await until(async () => (await unsealed(ledger.store.read)) === 0, { what: 'the last entry to be sealed' })
    await sealer.stop()
    await ledger.close()
  })
})

describe('bun run audit', () => {
  let busy: Awaited<ReturnType<typeof busyLedger>>
  beforeAll(async () => {
    busy = await busyLedger()
  })
  afterAll(() => busy.ledger.close())
  const audit = async (...words: string[]) => {
    const script = join(import.meta.dir, '../../../scripts/audit.ts')
    const run = Bun.spawn([process.execPath, script, ...words], { stdout: 'pipe', stderr: 'pipe' })
    const [out, error, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
    return { out, error, code }
  }
  const dataDir = (ledger: Ledger) => ledger.deps.config.dataDir

  test('prints what it checked and exits with 0, beside the service', async () => {
    const { out, error, code } = await audit('--data-dir', dataDir(busy.ledger))
    expect([error, code]).toEqual(['', 0])
    expect(out).toMatch(/11 of 12 entries are sealed[\s\S]*1 balances[\s\S]*8 transactions[\s\S]*The books are right/)
  })

  test('exits with 1 at the first difference', async () => {
    const own = await busyLedger()
    await own.ledger.store.commit(async (tx) => void (await tx.update(balances).set({ available: 1n })))
    const { out, error, code } = await audit('--data-dir', dataDir(own.ledger))
    expect([out, code]).toEqual(['', 1])
    expect(error).toMatch(/^Balance of account .* stored 1 available/)
    await own.ledger.close()
  })

  test('--help, and unknown arguments', async () => {
    expect((await audit('--help')).out).toMatch(/^Usage: bun run audit/)
    expect((await audit('--data-dir', '/nowhere')).error).toMatch(/no database at/)
    expect((await audit('--verbose')).code).toBe(1)
  })
})

test('entries that stay unsealed are found by the running audit', async () => {
  const own = await openLedger()
  await makeBench(own, '1')
  const auditor = createAuditor({ pause: async () => {}, lateMs: 0 })
  await auditor.round(own.store)
  expect(auditor.difference()).toBeUndefined()
  await until(async () => {
    await auditor.round(own.store)
    return auditor.difference()
  })
  expect(auditor.difference()).toBe('Entry 1 of the journal stays unsealed')
  const another = createAuditor({ pause: async () => {}, lateMs: 0 })
  await another.round(own.store)
  await sealJournal(own.deps)
  await another.round(own.store)
  await another.check()
  await own.close()
})

test('a withdrawal that is erased before it is sealed is found by the assigned numbers', async () => {
  const own = await openLedger()
  const bench = await makeBench(own, '9')
  await sealJournal(own.deps)
  const before = await own.store.read.select().from(balances)
  const { id } = await make(own, 'withdrawal', withdrawalOf(bench, '2'))
  await own.store.commit(async (tx) => {
    await tx.delete(transactions).where(eq(transactions.id, id))
    await tx.delete(journal).where(eq(journal.transactionId, id))
    await tx.update(balances).set({ available: before[0]?.available ?? 0n, frozen: 0n })
  })
  const found = await auditAll(own.store).catch((error: Error) => error.message)
  // By the numbers that were given, or, where those have gaps, by those that the commit listed to be sealed.
  expect(found).toMatch(
    /^(The journal ends with entry 2; it has had entry 3|Number \d+ of the journal is listed to be sealed, and is not there)$/,
  )
  await own.close()
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
