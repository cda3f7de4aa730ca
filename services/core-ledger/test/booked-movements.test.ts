import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { auditAll } from '../src/bookkeeping/audit'
import { sealJournal } from '../src/bookkeeping/seal-journal'
import { pullMovements } from '../src/executions/movements.consumer'
import { movements } from '../src/executions/movements.table'
import { contract, type MovementBench, openMovementBench } from './movement-bench'

let it: MovementBench
let { ledger, bench, clock, moved, deliver } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, bench, clock, moved, deliver } = it)
})
afterEach(() => it.close())

describe('what an authorised execution takes', () => {
  const taken = async (amount: string, id = Bun.randomUUIDv7()) => {
    const takes = [{ contractAddress: contract, amount }]
    const body = { id, accountId: bench.accountId, network: 'ethereum', takes, isOpaque: false }
    const path = '/internal/authorisations/execution'
    const answer = await ledger.ask<{ reason: string | null }>('POST', path, body, await ledger.asService('wallet'))
    return { id, reason: answer.body.reason }
  }
  const confirm = (id: string) =>
    ledger.consume({
      id: Bun.randomUUIDv7(),
      name: ExecutionChanged.name,
      type: ExecutionChanged.type,
      timestamp: '2026-01-01T00:00:00.000Z',
      requestId: null,
      service: 'wallet',
      data: { id, status: 'confirmed', txHash: null, reason: null, accountId: bench.accountId, network: 'ethereum' },
    })

  test('counts until it is booked, and not twice', async () => {
    const { id, reason } = await taken('60000000')
    expect(reason).toBeNull()
    await confirm(id)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    await deliver(moved('out', '60000000', { orderId: id }))
    expect((await taken('40000000')).reason).toBeNull()
  })

  test('what it did not take is free again once all its movements must be here', async () => {
    const { id } = await taken('60000000')
    await confirm(id)
    await deliver(moved('out', '10000000', { orderId: id }))
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    await pullMovements(ledger.deps)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    clock.now = new Date(clock.now.getTime() + 600_001)
    await pullMovements(ledger.deps)
    expect((await taken('90000000')).reason).toBeNull()
  })

  test('one that is not confirmed counts, however often movements are pulled', async () => {
    await taken('60000000')
    clock.now = new Date(clock.now.getTime() + 3_600_000)
    await pullMovements(ledger.deps)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
  })
})

describe('the audit', () => {
  const tampered = async (change: () => Promise<unknown>) => {
    const { store } = ledger
    await deliver(moved('out', '30000000'))
    await sealJournal(store)
    await change()
    const found = await auditAll(store.read).then(
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
    expect(auditAll(store.read)).rejects.toThrow('Movement forged is booked, and the journal has no entry of it')
    await store.commit(async (tx) => {
      await tx.delete(movements).where(eq(movements.id, 'forged'))
    })
  })
})
