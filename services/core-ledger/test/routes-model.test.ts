import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dialect, eq } from '@bursar/store'
import fc from 'fast-check'
import { auditAll } from '../src/audit/audit'
import { systemBalances } from '../src/ledger/balances.table'
import { unfolded } from '../src/reporting/fold-sums'
import { sealJournal } from '../src/seals/seal-journal'
import { openPlay, openRoutes, type Play, type RoutesBench, text } from './routes-bench'
import { carryOut, type Repeat } from './routes-driver'
import { type Act, apply, type Model, newModel, omnibus, onOne, portfolio, signed, suspended } from './routes-model'
import { balanceOf, getTransaction } from './steps'

// Random sequences of all that moves money: by each route, in both forms, with repeats under its key; by events of chains that
// take back, of portfolios, of institutions and of the wallet service; and by the worker. Against sums.
const runs = dialect === 'sqlite' ? 24 : 8
let bench: RoutesBench
beforeAll(async () => {
  bench = await openRoutes()
})
afterAll(() => bench.close())

const account = fc.nat(3)
// Movements have odd ones: one that pays what an approved withdrawal asks may be that withdrawal.
const amount = fc.constantFrom(2, 4, 6, 10, 40)
const which = fc.nat(40)
const form = fc.constantFrom('service', 'gateway')
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constantFrom('deposit', 'arrive', 'arrive'), to: account, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('withdraw'),
      from: account,
      amount,
      form: fc.constantFrom('service', 'gateway', 'order'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('transfer'), from: account, to: account, amount }) },
  { weight: 16, arbitrary: fc.record({ act: fc.constantFrom(...onOne, 'pass', 'pass', 'pass', 'flag'), which, form }) },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('sign'), which, as: fc.constantFrom(...signed), isTold: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('move'),
      kind: fc.constantFrom('in', 'in', 'out', 'fee', 'platform'),
      amount: fc.constantFrom(1, 3, 11),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('movement'), which, what: fc.constantFrom('vanish', 'reappear', 'cover') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('pause'), isPaused: fc.constantFrom(true, false, false, false) }),
  },
  { weight: 7, arbitrary: fc.record({ act: fc.constant('work') }) },
) as fc.Arbitrary<Act>
const repeat = fc.constantFrom<Repeat>('no', 'no', 'again', 'at once', 'with another body')
/** Most acts are about something that they may be about. */
const isAimed = fc.constantFrom(true, true, true, false)
const steps = fc.array(fc.record({ act: acts, repeat, isAimed }), { minLength: 40, maxLength: 90, size: 'max' })
const funding = [0, 1, omnibus, portfolio].flatMap((to, which): Act[] => [
  { act: 'deposit', to, amount: 100 },
  { act: 'pass', which, form: 'service' },
  { act: 'work' },
])

const asIs = (act: Act) => ({ act, repeat: 'no' as const, isAimed: false })

/** The act with its place among what there is, or what it may be about. Null where there is none. */
function aimed(model: Model, drawn: Act, isAimed: boolean): Act | null {
  if (!('which' in drawn)) return drawn
  const all = (drawn.act === 'movement' ? model.moved : model.all).map((_, which) => ({ ...drawn, which }))
  const some = isAimed ? all.filter((act) => apply(structuredClone(model), act)) : all
  return some[drawn.which % some.length] ?? null
}

const balancesOf = ({ ledger, accounts, asset }: Play) =>
  Promise.all(
    accounts.map(async (accountId) => {
      const balance = await balanceOf(ledger, { accountId, assetId: asset.id, customerId: '' })
      return balance.length === 0 ? ['0', '0', '0'] : balance
    }),
  )
const statusesOf = ({ ledger, ids }: Play) =>
  Promise.all(ids.map(async (id) => (await getTransaction(ledger, id)).status))

/** What the ledger's own accounts hold of an asset, in halves. */
async function ownSums(assetId: string): Promise<Map<string, number>> {
  const { read } = bench.ledger.store
  const stored = await read.select().from(systemBalances).where(eq(systemBalances.assetId, assetId))
  const sums = new Map<string, number>()
  for (const { name, amount } of [
    ...stored,
    ...(await unfolded(read)).outside.filter((row) => row.assetId === assetId),
  ]) {
    sums.set(name, (sums.get(name) ?? 0) + Number(amount) / 500_000)
  }
  return sums
}

test(`${runs} random sequences of all that moves money come to what a model of sums says, and the audit agrees`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const play = await openPlay(bench)
      const model = newModel()
      const told: unknown[] = []
      for (const { act: drawn, repeat, isAimed } of [...funding.map(asIs), ...sequence]) {
        const act = aimed(model, drawn, isAimed)
        if (!act) continue
        const type = 'which' in act ? (model.all[act.which]?.type ?? '') : ''
        const isAllowed = apply(model, act)
        told.push([JSON.stringify(act), repeat, isAllowed])
        // The wallet service keeps what an order has come to.
        if (act.act === 'sign' && !isAllowed) continue
        expect([told, await carryOut(play, act, repeat, type)]).toEqual([told, isAllowed])
        const expected = model.accounts.map(({ free, held }) => [text(free), text(held), text(free + held)])
        expect([told, await balancesOf(play)]).toEqual([told, expected])
      }
      expect([told, await statusesOf(play)]).toEqual([told, model.all.map(({ status }) => status)])
      const sums = await ownSums(play.asset.id)
      const [inside, returning] = [suspended(model, false), suspended(model, true)]
      const held = model.accounts.reduce((sum, { free, held }) => sum + free + held, 0)
      expect(['suspense', 'returning', 'fees', 'world'].map((name) => sums.get(`${name}:ethereum`) ?? 0)).toEqual(
        [inside, returning, -model.feesPaid, model.feesPaid - inside - returning - held].map((each) => each + 0),
      )
    }),
    { numRuns: runs },
  )
  await sealJournal(bench.ledger.deps)
  const report = await auditAll(bench.ledger.store)
  expect(report.sealed).toBe(report.entries)
})
