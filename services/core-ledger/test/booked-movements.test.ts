import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { auditAll } from '../src/audit/audit'
import { movements } from '../src/portfolios/movements.table'
import { sealJournal } from '../src/seals/seal-journal'
import { type MovementBench, openMovementBench } from './movement-bench'

let it: MovementBench
let { ledger, moved, deliver } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, moved, deliver } = it)
})
afterEach(() => it.close())

describe('the audit', () => {
  const tampered = async (change: () => Promise<unknown>) => {
    const { store } = ledger
    await deliver(moved('out', '30000000'))
    await sealJournal(ledger.deps)
    await change()
    const found = await auditAll(store).then(
      () => null,
      (error: Error) => error.message,
    )
    return found
  }

  test.each([
    ['the amount', { amount: 1n }],
    ['the account', { accountId: 'x' }],
    ['the hash', { txHash: '0x12' }],
    ['the address', { address: 'x' }],
    ['the time of its booking', { bookedAt: new Date(0) }],
  ])('notices a movement with %s changed', async (_, fields) => {
    const { store } = ledger
    let before: (typeof movements.$inferSelect)[] = []
    const found = await tampered(async () => {
      before = await store.read.select().from(movements)
      await store.commit(async (tx) => {
        await tx.update(movements).set(fields)
      })
    })
    expect(found).toMatch(/Entry \d+ \(execution\) is not what movement|Hash chain/)
    await store.commit(async (tx) => {
      await tx.delete(movements)
      await tx.insert(movements).values(before)
    })
  })

  test('notices one that is gone, and one that is booked without an entry', async () => {
    const { store } = ledger
    let before: (typeof movements.$inferSelect)[] = []
    const gone = await tampered(async () => {
      before = await store.read.select().from(movements)
      await store.commit(async (tx) => {
        await tx.delete(movements)
      })
    })
    expect(gone).toMatch(/Hash chain|which is not there/)
    const [one] = before
    if (!one) throw new Error('No movement')
    await store.commit(async (tx) => {
      await tx.insert(movements).values([one, { ...one, id: 'forged' }])
    })
    expect(auditAll(store)).rejects.toThrow('Movement forged is booked, and the journal has no entry of it')
    await store.commit(async (tx) => {
      await tx.delete(movements).where(eq(movements.id, 'forged'))
    })
  })
})
