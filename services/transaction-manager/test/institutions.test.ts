// Institutions that are paused, offboarded or deleted: decisions, Institutions that are PAUSED, OFFBOARDED or deleted.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { localServer } from '@bursar/testing'
import { bankWorkers } from '../src/banks/banks.consumer'
import { openService, refused, type TestTransactionManager } from './harness'
import { deposit, destinationAccount, made, through, transfer, withdrawal } from './requests'

let manager: TestTransactionManager
beforeAll(async () => {
  manager = await openService()
})
afterAll(() => manager.close())

type Party = Awaited<ReturnType<TestTransactionManager['party']>>

const set = (path: string, id: string, status: string) => manager.put(`${path}/${id}`, { status })
const conflict = async (answer: Promise<Awaited<ReturnType<typeof set>>>): Promise<string> =>
  refused(await answer, 409).message

describe.each([
  ['PAUSED', ({ pfi }: Party) => manager.pfi({ ...pfi, status: 'PAUSED' }), 'PAUSED'],
  ['OFFBOARDED', ({ pfi }: Party) => manager.pfi({ ...pfi, status: 'OFFBOARDED' }), 'OFFBOARDED'],
  ['deleted', ({ pfi }: Party) => manager.deletePfi(pfi.id), 'deleted'],
] as const)('of a participant that is %s', (_, hold, state) => {
  test('no payment is created, on either side; its payments can be read', async () => {
    const [own, other] = [await manager.party({ name: 'Tired' }), await manager.party()]
    const before = await deposit(manager, own.bank.id)
    await hold(own)
    const to = (from: Party, receiver: Party) => ({
      fromParticipantBankId: from.bank.id,
      toParticipantBankId: receiver.bank.id,
    })
    for (const [path, fields] of [
      ['/deposit', { participantBankId: own.bank.id }],
      ['/do-deposit', { participantBankId: own.bank.id }],
      ['/withdrawal', { participantBankId: own.bank.id, destinationAccount }],
      ['/transfer', to(own, other)],
      ['/transfer', to(other, own)],
    ] as const) {
      const message = await conflict(manager.post(path, { amount: '100', currency: 'USD', ...fields }))
      expect(message).toMatch(new RegExp(`^The participant Tired of \\w+ is ${state}: only an APPROVED one`))
    }
    expect((await manager.get(`/transactions/${before.id}`)).status).toBe(200)
  })

  test('a payment under way does not proceed, from any status before the bank has it; an operator ends it', async () => {
    for (const [statuses, next, end] of [
      [[], 'APPROVED', 'REJECTED'],
      [['IN_REVIEW'], 'APPROVED', 'CANCELLED'],
      [['APPROVED'], 'PROCESSING', 'FAILED'],
    ] as const) {
      const own = await manager.party({ name: 'Tired' })
      const { id } = await withdrawal(manager, own.bank.id)
      await through(manager, '/withdrawal', id, ...statuses)
      await hold(own)
      const message = await conflict(set('/withdrawal', id, next))
      expect(message).toBe(
        `Transaction ${id} waits as ${statuses.at(-1) ?? 'PENDING'}, for its participant Tired is ${state}: it can be ended, or continues once the participant is active again`,
      )
      expect((await set('/withdrawal', id, end)).body.data.status).toBe(end)
    }
  })

  test('a deposit is not completed while it waits', async () => {
    const own = await manager.party({ name: 'Tired' })
    const [pending, approved] = [await deposit(manager, own.bank.id), await deposit(manager, own.bank.id)]
    expect((await set('/deposit', approved.reference, 'APPROVED')).status).toBe(200)
    await hold(own)
    for (const { reference } of [pending, approved]) {
      expect(await conflict(set('/deposit', reference, 'COMPLETED'))).toContain(state)
    }
  })

  test('a transfer waits for either side', async () => {
    for (const side of [0, 1] as const) {
      const parties = [await manager.party(), await manager.party()] as const
      const { id } = await transfer(manager, parties[0].bank.id, parties[1].bank.id)
      await hold(parties[side])
      expect(await conflict(set('/transfer', id, 'APPROVED'))).toContain(state)
    }
  })

  test('the outcome of a payment at the bank is recorded', async () => {
    const own = await manager.party()
    const { id } = await withdrawal(manager, own.bank.id)
    await through(manager, '/withdrawal', id, 'APPROVED', 'PROCESSING')
    await hold(own)
    expect((await set('/withdrawal', id, 'COMPLETED')).body.data.status).toBe('COMPLETED')
  })

  test('the destination of a withdrawal cannot change; its description may', async () => {
    const own = await manager.party({ name: 'Tired' })
    const { id } = await withdrawal(manager, own.bank.id)
    await hold(own)
    const path = `/withdrawal/${id}/update`
    const changed = { destinationAccount: { ...destinationAccount, accountNumber: '1234567890' } }
    expect(await conflict(manager.put(path, changed))).toContain(`Tired of transaction ${id} is ${state}`)
    expect((await manager.put(path, { description: 'Waits for compliance' })).status).toBe(200)
  })
})

test('the payments of a participant that is active again proceed', async () => {
  const own = await manager.party()
  const { id } = await withdrawal(manager, own.bank.id)
  await manager.pfi({ ...own.pfi, status: 'PAUSED' })
  await conflict(set('/withdrawal', id, 'APPROVED'))
  await manager.pfi({ ...own.pfi, status: 'APPROVED' })
  await through(manager, '/withdrawal', id, 'APPROVED', 'PROCESSING', 'COMPLETED')
})

test('without events the pull finds it, also after a restore of the participant service', async () => {
  const id = Bun.randomUUIDv7()
  const record = { id, institutionName: 'Gone', omnibusAccountId: null, feePayerAccountId: null }
  const deleted = { ...record, deletedAt: '2026-01-31T12:00:00.000Z' }
  let page = { epoch: 1, items: [{ version: 1, record: deleted as object }], more: false }
  const participant = localServer(() => Response.json(page))
  const pulling = await openService({ urls: { participant: participant.url } })
  const { bank } = await pulling.party({ id })
  const workers = bankWorkers(pulling.deps)
  const pull = async () => {
    for (const each of workers) await each.runNow()
  }
  await pull()
  const body = { amount: '100', currency: 'USD', participantBankId: bank.id }
  refused(await pulling.post('/deposit', body), 409)
  page = { epoch: 2, items: [{ version: 1, record: { ...record, deletedAt: null } }], more: false }
  await pull()
  await made(pulling, '/deposit', body)
  for (const each of workers) await each.stop()
  await pulling.close()
  await participant.stop()
})
