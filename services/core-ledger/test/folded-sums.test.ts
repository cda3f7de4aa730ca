import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { placeName, putMetaValue, sizeOf, type Tx } from '@bursar/store'
import { runRaw } from '@bursar/testing/service'
import { auditAll } from '../src/audit/audit'
import { systemBalances } from '../src/ledger/balances.table'
import { summedEntries } from '../src/ledger/sealed-rows'
import { owedOnChains } from '../src/reconciliation/owed'
import { foldAll, foldNext, unsummedEntries } from '../src/reporting/fold-sums'
import { dailyTotals } from '../src/reporting/sums.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, make, makeBench, pay, screen, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
beforeEach(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '100')
})
afterEach(() => ledger.close())

async function payOut(amount: string): Promise<void> {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, amount))
  await screen(ledger, id, true)
  await complete(ledger, id, `0x${crypto.randomUUID().replaceAll('-', '')}`)
}

const place = placeName(summedEntries.name)
/** How many entries are not folded. */
const left = async (): Promise<number> => sizeOf((await unsummedEntries.waiting(ledger.store.read)).entries)

const run = (statement: string) => ledger.store.commit((tx) => runRaw(tx, statement))

const amounts = { deposits: '142', withdrawals: '7', balances: '135', owed: 135000000n }

/** What everybody sees who reads the sums. */
async function shown() {
  const { body } = await ledger.ask('GET', '/api/v1/core/overview/digital-assets')
  const { deposits, withdrawals, balances } = body.totals
  const [owed] = [...(await owedOnChains(ledger.store.read)).values()]
  return {
    deposits: deposits.amount,
    withdrawals: withdrawals.amount,
    balances: balances.amount,
    owed: owed?.customers,
  }
}

/** Four movements that are completed, and one that is only held: nine entries. */
async function moveMoney(): Promise<void> {
  await pay(ledger, bench, '42')
  await payOut('3')
  await payOut('4')
  await make(ledger, 'withdrawal', withdrawalOf(bench, '5'))
}

describe('the sums over the journal', () => {
  test('are exact when few entries are folded at a time, also where none of them counts', async () => {
    await foldAll(ledger.store)
    for (let i = 0; i < 5; i++) await make(ledger, 'withdrawal', withdrawalOf(bench, '1'))
    const steps: number[] = []
    for (let step = -1; step !== 0; ) {
      step = await foldNext(ledger.store, 2)
      steps.push(step)
    }
    expect(steps).toEqual([2, 2, 1, 0])
    await payOut('3')
    while ((await foldNext(ledger.store, 1)) > 0);
    expect(await shown()).toMatchObject({ deposits: '100', withdrawals: '3', balances: '97' })
    await auditAll(ledger.store)
  })

  test('are exact in any state of folding, and the audit agrees', async () => {
    await moveMoney()
    expect(await shown()).toEqual(amounts)
    const lefts = [await left()]
    while ((await foldNext(ledger.store, 1)) > 0) {
      lefts.push(await left())
      expect(await shown()).toEqual(amounts)
      await auditAll(ledger.store)
    }
    expect(lefts).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    await payOut('1')
    expect(await shown()).toEqual({ deposits: '142', withdrawals: '8', balances: '134', owed: 134000000n })
  })

  test('a commit that moves money writes none of them', async () => {
    await moveMoney()
    expect(await ledger.store.read.$count(dailyTotals)).toBe(0)
    const names = (await ledger.store.read.select().from(systemBalances)).map(({ name }) => name)
    expect(names).toEqual(['suspense:ethereum'])
  })

  test.each(['daily_totals', 'holdings', 'system_balances', 'meta'])(
    'a crash at the writes to %s loses and doubles nothing',
    async (table) => {
      await moveMoney()
      await run(`create trigger crash before insert on ${table} begin select raise(abort, 'crash'); end`)
      await expect(foldNext(ledger.store)).rejects.toThrow('crash')
      expect(await left()).toBe(9)
      expect(await shown()).toEqual(amounts)
      await run('drop trigger crash')
      await foldAll(ledger.store)
      expect(await shown()).toEqual(amounts)
      await auditAll(ledger.store)
    },
  )

  test('two concurrent folds add each entry once', async () => {
    await moveMoney()
    await Promise.all([foldNext(ledger.store), foldNext(ledger.store), foldNext(ledger.store, 2)])
    await foldAll(ledger.store)
    expect(await shown()).toEqual(amounts)
    await auditAll(ledger.store)
  })

  test('a manipulated place is found', async () => {
    await moveMoney()
    await foldAll(ledger.store)
    const setPlace = (tx: Tx, entries: number) => putMetaValue(tx, place, JSON.stringify({ entries }))
    for (const entries of [0, 4]) {
      const undo = new Error('undo')
      const found = ledger.store.commit(async (tx) => {
        await setPlace(tx, entries)
        await expect(auditAll({ read: tx, snapshot: (body) => body(tx) })).rejects.toThrow()
        throw undo
      })
      await expect(found).rejects.toBe(undo)
    }
    // One that is ahead is found with the entries that it skips.
    await ledger.store.commit((tx) => setPlace(tx, 12))
    await pay(ledger, bench, '1')
    await foldAll(ledger.store)
    await expect(auditAll(ledger.store)).rejects.toThrow()
  })
})
