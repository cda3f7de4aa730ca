import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { and, dialect, eq } from '@bursar/store'
import fc from 'fast-check'
import { auditAll } from '../src/audit/audit'
import { balances } from '../src/ledger/balances.table'
import { journal } from '../src/ledger/journal.table'
import { completeScreenings } from '../src/movements/complete-screening'
import { completeApproved, failApproved } from '../src/movements/move'
import { transactionById, transactionsById } from '../src/movements/read-transactions'
import { createWithdrawals } from '../src/withdrawals/create-withdrawal'
import { type Ledger, openLedger } from './harness'
import { makeAsset, outside, pay } from './steps'

// Random batches come to what their items come to one by one: two accounts and two assets are carried out on one ledger in
// batches, and on accounts of their own one after another.
const accounts = 2
const assets = 2
const decimals = 6
const which = fc.nat(7)
const place = fc.record({
  account: fc.nat(accounts - 1),
  asset: fc.nat(assets - 1),
  amount: fc.integer({ min: 1, max: 6 }),
})
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 6 })
const mostly = fc.constantFrom(true, true, true, false)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant('withdrawals'), of: fc.array(place, { minLength: 1, maxLength: 6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('verdicts'),
      of: some,
      approved: fc.array(mostly, { minLength: 6, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('completions'), of: some }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('failures'), of: some }) },
) as fc.Arbitrary<Step>
type Place = { account: number; asset: number; amount: number }
type Step =
  | { step: 'withdrawals'; of: Place[] }
  | { step: 'verdicts'; of: number[]; approved: boolean[] }
  | { step: 'completions' | 'failures'; of: number[] }

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

/** The accounts that one way is carried out on. */
interface Side {
  accountIds: string[]
  assetIds: string[]
  ids: string[]
}

async function newSide(): Promise<Side> {
  const assetIds = [await makeAsset(ledger), await makeAsset(ledger)]
  const owners = await Promise.all(Array.from({ length: accounts }, () => ledger.account()))
  for (const { id: accountId, customerId } of owners) {
    for (const assetId of assetIds) await pay(ledger, { accountId, customerId, assetId }, '0.00001')
  }
  return { accountIds: owners.map(({ id }) => id), assetIds, ids: [] }
}

/** Carries out items of a step in one commit; says how each ended. */
function carryOut(side: Side, step: Step, items: number[]): Promise<string[]> {
  const { accountIds, assetIds, ids } = side
  const at = new Date()
  return ledger.store.commit(async (tx) => {
    if (step.step === 'withdrawals') {
      const asked = items.map((i) => {
        const { account, asset, amount } = step.of[i] as Place
        const named = { accountId: accountIds[account] ?? '', assetId: assetIds[asset] ?? '' }
        const text = formatAmount(BigInt(amount), decimals)
        return { input: { ...named, network: 'ethereum', destinationAddress: outside, amount: text } }
      })
      const made = await createWithdrawals(tx, asked, at)
      ids.push(...made.flatMap((one) => (one instanceof AppError ? [] : [one.id])))
      return made.map((one) => (one instanceof AppError ? one.code : 'made'))
    }
    const meant = items.map((i) => ids[step.of[i] as number] ?? Bun.randomUUIDv7())
    if (step.step === 'verdicts') {
      const verdicts = meant.map((id, i) => ({ id, isApproved: step.approved[items[i] as number] ?? false }))
      const outcomes = await completeScreenings(tx, verdicts, at)
      return outcomes.map((one) => (one instanceof AppError ? one.code : one.status))
    }
    const found = await transactionsById(tx, meant)
    const approved = [...found.values()].filter(({ status }) => status === 'APPROVED')
    if (step.step === 'completions') {
      await completeApproved(
        tx,
        approved.map((transaction) => ({ transaction, txHash: `0x${transaction.id}` })),
        at,
      )
    } else
      await failApproved(
        tx,
        approved.map((transaction) => ({ transaction, reason: 'no' })),
        at,
      )
    return meant.map((id) => String(approved.some((one) => one.id === id)))
  })
}

/** What a side has come to: statuses and entries of its transactions, and its balances. */
async function stateOf({ accountIds, assetIds, ids }: Side) {
  const { read } = ledger.store
  const transactions = []
  for (const id of ids) {
    const { status, amount, failureReason, phases } = await transactionById(read, id)
    const entries = await read.select().from(journal).where(eq(journal.transactionId, id)).orderBy(journal.seq)
    const names = phases?.map(({ name, status }) => `${name} ${status}`) ?? []
    transactions.push({
      status,
      amount,
      failureReason,
      names,
      entries: entries.map(({ kind, amount }) => [kind, amount]),
    })
  }
  const held = []
  for (const accountId of accountIds) {
    for (const assetId of assetIds) {
      const [row] = await read
        .select()
        .from(balances)
        .where(and(eq(balances.accountId, accountId), eq(balances.assetId, assetId)))
      held.push([row?.available, row?.frozen])
    }
  }
  return { transactions, held }
}

test('random batches come to what their items come to one by one, and the audit agrees', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const [together, alone] = [await newSide(), await newSide()]
      for (const step of steps) {
        const items = step.of.map((_, i) => i)
        const outcomes = await carryOut(together, step, items)
        const ones: string[] = []
        for (const item of items) ones.push(...(await carryOut(alone, step, [item])))
        expect(outcomes).toEqual(ones)
      }
      expect(await stateOf(together)).toEqual(await stateOf(alone))
    }),
    // Fewer on a server, where a step takes longer.
    { numRuns: dialect === 'sqlite' ? 40 : 8 },
  )
  await auditAll(ledger.store)
})
