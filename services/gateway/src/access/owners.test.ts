import { expect, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { createOwners } from './owners'

const owner = { participantId: '01a1fe8f-0000-7000-8000-0000000000b1', custodianId: null }
const object = '01a1fe8f-0000-7000-8000-0000000000d1'

test.each([
  ['account', '/internal/account-owners/:accountId', { accountId: object }],
  ['customer', '/internal/customer-owners/:customerId', { customerId: object }],
] as const)(
  '%s: a new one is found at once; of a known one alone is asked, once in some seconds',
  async (kind, path, params) => {
    let now = 0
    let asked = 0
    let participantId: string | null = null
    const find = async (call: { path: string }, input: object) => {
      asked += 1
      expect([call.path, input]).toEqual([path, { params }])
      return participantId === null ? null : { ...params, participantId }
    }
    const owners = createOwners({ find } as unknown as Client, () => now)
    const isOwn = async () => [await owners.isOwn(owner, kind, object), asked]
    expect(await isOwn()).toEqual([false, 1])
    participantId = owner.participantId
    now = 1
    expect(await isOwn()).toEqual([true, 2])
    now = 1 + 4999
    expect(await isOwn()).toEqual([true, 2])
    expect(await owners.isOwn({ ...owner, participantId: object }, kind, object)).toBe(false)
    participantId = null
    now = 1 + 5000
    expect(await isOwn()).toEqual([false, 3])
  },
)

test('accounts of one request are asked for together', async () => {
  const ids = Array.from({ length: 100 }, () => Bun.randomUUIDv7())
  const calls: string[] = []
  const call = async ({ path }: { path: string }, { body }: { body: { items: string[] } }) => {
    calls.push(path)
    return { items: body.items.map((accountId) => ({ accountId, participantId: owner.participantId })) }
  }
  const owners = createOwners({ call } as unknown as Client, () => 0)
  expect(await Promise.all(ids.map((id) => owners.isOwn(owner, 'account', id)))).toEqual(ids.map(() => true))
  expect(calls).toEqual(['/internal/account-owners/states'])
})

test('a text that is no id is nobody’s, and no service is asked for it', async () => {
  const asked: unknown[] = []
  const find = async (call: unknown) => void asked.push(call)
  const owners = createOwners({ find } as unknown as Client, () => 0)
  const kinds = ['participant', 'customer', 'account', 'transaction', 'message', 'payment', 'bankAccount'] as const
  for (const kind of [...kinds, 'paymentOfPayer', 'custodianBank', 'participantAtBank'] as const) {
    for (const text of ['', '..', '%2e%2e', 'omnibus', `${object}/balance`, ` ${object}`]) {
      expect([kind, text, await owners.isOwn({ ...owner, custodianId: text }, kind, text)]).toEqual([kind, text, false])
    }
  }
  expect(asked).toEqual([])
})
