// Payments that are asked for at the same time share a commit: each has its own answer, and what it would have had alone.
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import type { PaymentState } from '@bursar/contracts/transaction-manager'
import { openService, type TestTransactionManager } from './harness'

let manager: TestTransactionManager
let payer: { id: string; participantId: string }
let payee: { id: string; participantId: string }
beforeAll(async () => {
  manager = await openService()
})
beforeEach(async () => {
  payer = (await manager.party({ name: 'Payer' })).bank
  payee = (await manager.party({ name: 'Payee' })).bank
})
afterAll(() => manager.close())

const transferOf = (more: object = {}) => ({
  amount: '10',
  currency: 'USD',
  fromParticipantBankId: payer.id,
  toParticipantBankId: payee.id,
  ...more,
})

interface Asked {
  body: object
  headers?: Record<string, string>
}

/** Posts them at the same time, of which one commits something; gives their answers, and by how many commits. */
async function askTogether(...all: Asked[]) {
  // They wait for this commit, and for each other.
  const held = Promise.withResolvers<void>()
  const holding = manager.store.commit(() => held.promise)
  const commit = spyOn(manager.store, 'commit')
  try {
    const answers = Promise.all(all.map(({ body, headers }) => manager.post('/transfer', body, headers)))
    while (commit.mock.calls.length === 0) await new Promise(setImmediate)
    held.resolve()
    const given = await answers
    return { answers: given, statuses: given.map(({ status }) => status), commits: commit.mock.calls.length }
  } finally {
    commit.mockRestore()
    await holding
  }
}

test('they share a commit, and each event names its own request', async () => {
  const asked = Array.from({ length: 6 }, (_, i) => ({
    body: transferOf(),
    headers: { 'x-request-id': `together-request-${i}` },
  }))
  const { answers, statuses, commits } = await askTogether(...asked)
  expect(statuses).toEqual(Array(6).fill(201))
  expect(commits).toBeLessThan(6)
  const events = (await manager.events()) as { requestId: string | null; data: PaymentState }[]
  const requestOf = (id: string) => events.filter(({ data }) => data.id === id).map(({ requestId }) => requestId)
  expect(answers.map(({ body }) => requestOf(body.data.id))).toEqual(
    asked.map(({ headers }) => [headers['x-request-id']]),
  )
  const versions = answers.map(({ body }) => events.find(({ data }) => data.id === body.data.id)?.data.version ?? 0)
  expect(new Set(versions).size).toBe(6)
  for (const { body } of answers) {
    const { data } = (await manager.get(`/transactions/${body.data.id}`)).body
    expect(data).toMatchObject({ status: 'PENDING', history: [{ from: null, to: 'PENDING' }] })
  }
})

test('one that is refused takes nothing from the others', async () => {
  const { answers, statuses } = await askTogether(
    { body: transferOf() },
    { body: transferOf({ amount: '1.234' }) },
    { body: transferOf({ toParticipantBankId: 'nowhere' }) },
    { body: transferOf({ toParticipantBankId: payer.participantId }) },
    { body: transferOf() },
  )
  expect(statuses).toEqual([201, 400, 404, 422, 201])
  expect(answers[2]?.body.error.message).toStartWith('toParticipantBankId nowhere is neither a known bank account')
})

// Which of them comes first is not promised.
test('of two with one reference one has it, in any case of letters', async () => {
  const reference = 'Together-Same'
  const { statuses } = await askTogether(
    { body: transferOf({ reference }) },
    { body: transferOf({ reference: reference.toUpperCase() }) },
    { body: transferOf() },
  )
  expect([statuses.slice(0, 2).sort(), statuses[2]]).toEqual([[201, 409], 201])
  expect((await askTogether({ body: transferOf({ reference }) }, { body: transferOf() })).statuses).toEqual([409, 201])
})

test('a credit line allows what those before have left of it, and each reserves its own amount', async () => {
  await manager.creditLine(payer.participantId, { currency: 'USD', limit: '100' })
  const { answers, statuses } = await askTogether(
    ...Array.from({ length: 5 }, () => ({ body: transferOf({ amount: '30' }) })),
  )
  expect(statuses.toSorted()).toEqual([201, 201, 201, 409, 409])
  const messages = answers.flatMap(({ body }) => body.error?.message ?? [])
  expect(messages).toEqual(Array(2).fill('The credit line has 10 USD available, less than the amount'))
  expect(await manager.lineOf(payer.participantId)).toMatchObject({ used: '90', available: '10' })
  const made = answers.find(({ status }) => status === 201)
  await manager.put(`/transfer/${made?.body.data.id}`, { status: 'CANCELLED' })
  expect(await manager.lineOf(payer.participantId)).toMatchObject({ used: '60', available: '40' })
})

test('each answer is kept under its own key, and given again', async () => {
  const asked = ['a', 'b', 'c'].map((key) => ({
    body: transferOf(),
    headers: { 'idempotency-key': `together-key-${key}` },
  }))
  const { answers } = await askTogether(...asked)
  const again = await Promise.all(asked.map(({ body, headers }) => manager.post('/transfer', body, headers)))
  expect(again.map(({ body }) => body.data.id)).toEqual(answers.map(({ body }) => body.data.id))
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3)
})
