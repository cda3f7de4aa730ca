import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LocalServer, localServer } from '@bursar/testing'
import fc from 'fast-check'
import { auditAll } from '../src/audit/audit'
import { owedOnChains } from '../src/reconciliation/owed'
import { sealJournal } from '../src/seals/seal-journal'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, complete, failIt, makeBench, rejectedDeposit, screen } from './steps'

// Random acts on deposits in suspense and their returns, against a model that knows one place for each deposit's money.
let peers: LocalServer
let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  peers = localServer(() => Response.json({ isOwn: false }))
  ledger = await openLedger({ urls: { wallet: peers.url } })
  bench = await makeBench(ledger, '100')
})
afterAll(async () => {
  await ledger.close()
  await peers.stop()
})

const acts = ['release', 'return', 'pass', 'freeze', 'reject', 'complete', 'fail'] as const
type Act = (typeof acts)[number]

/** Where a deposit's money is: in suspense, on its way back by a return in this status, credited, or sent back. */
type Place = 'suspense' | 'PENDING' | 'FROZEN' | 'APPROVED' | 'credited' | 'gone'

/** What an act makes of it; undefined where it must be refused. */
const model: Record<Act, Partial<Record<Place, Place>>> = {
  release: { suspense: 'credited' },
  return: { suspense: 'PENDING' },
  pass: { PENDING: 'APPROVED', APPROVED: 'APPROVED' },
  freeze: { PENDING: 'FROZEN', FROZEN: 'FROZEN' },
  reject: { FROZEN: 'suspense' },
  complete: { APPROVED: 'gone', gone: 'gone' },
  fail: { APPROVED: 'suspense' },
}

interface Deposit {
  id: string
  amount: number
  place: Place
  /** Its last return; null before there is one. */
  back: string | null
}

const post = async (path: string, body: object) =>
  await ledger.ask<{ id: string }>('POST', `/transactions/${path}`, body)
const isDone = async (outcome: Promise<string>) =>
  await outcome.then(
    () => true,
    () => false,
  )

/** Carries an act out; whether it was not refused. */
async function carryOut(deposit: Deposit, act: Act): Promise<boolean> {
  if (act === 'release') return (await post(`${deposit.id}/release`, { reason: 'so' })).status === 200
  if (act === 'return') {
    const { status, body } = await post(`${deposit.id}/return`, { reason: 'so' })
    if (status === 201) deposit.back = body.id
    return status === 201
  }
  const { back } = deposit
  if (back === null) return false
  if (act === 'pass' || act === 'freeze') return (await screen(ledger, back, act === 'pass')).status === 200
  if (act === 'reject') return (await post(`${back}/reject-frozen-withdrawal`, { reason: 'so' })).status === 200
  return await isDone(act === 'complete' ? complete(ledger, back, '0xfeed') : failIt(ledger, back, 'so'))
}

const mayRepeat: readonly Act[] = ['pass', 'freeze', 'complete', 'fail']
const often: readonly Act[] = ['return', 'return', 'pass', 'pass', 'fail']
const step = fc.record({ which: fc.nat(1), act: fc.constantFrom(...acts, ...often) })

test('a deposit in suspense has one way out, and its money is in one place', async () => {
  let credited = 0
  let stuck = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      const deposits: Deposit[] = []
      for (const amount of [7, 11]) {
        deposits.push({ id: await rejectedDeposit(ledger, bench, `${amount}`), amount, place: 'suspense', back: null })
      }
      const told: string[] = []
      for (const { which, act } of steps) {
        const deposit = deposits[which] as Deposit
        const next = model[act][deposit.place]
        told.push(`${act} of ${deposit.place}`)
        const isTaken = await carryOut(deposit, act)
        // What its last return has come to may be told once more, and changes nothing.
        if (next !== undefined || !mayRepeat.includes(act)) expect([told, isTaken]).toEqual([told, next !== undefined])
        deposit.place = next ?? deposit.place
      }
      for (const { place, amount } of deposits) {
        if (place === 'credited') credited += amount
        else if (place !== 'gone') stuck += amount
      }
      const held = `${100 + credited}`
      expect(await balanceOf(ledger, bench)).toEqual([held, '0', held])
      const [owed] = [...(await owedOnChains(ledger.store.read)).values()]
      expect([owed?.customers, owed?.suspense]).toEqual([
        BigInt(100 + credited) * 1_000_000n,
        BigInt(stuck) * 1_000_000n,
      ])
    }),
    { numRuns: 60, seed: 20261129 },
  )
  await sealJournal(ledger.deps)
  await auditAll(ledger.store)
})
