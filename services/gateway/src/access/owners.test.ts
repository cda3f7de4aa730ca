import { expect, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { createOwners } from './owners'

const owner = { participantId: '01a1fe8f-0000-7000-8000-0000000000b1', custodianId: null }
const account = '01a1fe8f-0000-7000-8000-0000000000d1'

test('a new account is found at once; a known one is not requested again for some seconds', async () => {
  let now = 0
  let asked = 0
  let accounts: { id: string }[] = []
  const find = async () => {
    asked += 1
    return { omnibusAccountId: null, feePayerAccountId: null, customers: [{ id: 'c', externalId: 'x', accounts }] }
  }
  const owners = createOwners({ find } as unknown as Client, () => now)
  const isOwn = async () => [await owners.isOwn(owner, 'account', account), asked]
  expect(await isOwn()).toEqual([false, 1])
  accounts = [{ id: account }]
  now = 1
  expect(await isOwn()).toEqual([true, 2])
  now = 1 + 4999
  expect(await isOwn()).toEqual([true, 2])
  accounts = []
  now = 1 + 5000
  expect(await isOwn()).toEqual([false, 3])
})

test('a text that is no id is nobody’s, and no service is asked for it', async () => {
  const asked: unknown[] = []
  const find = async (call: unknown) => void asked.push(call)
  const owners = createOwners({ find } as unknown as Client, () => 0)
  const kinds = ['participant', 'customer', 'account', 'transaction', 'message', 'payment', 'bankAccount'] as const
  for (const kind of [...kinds, 'paymentOfPayer', 'custodianBank', 'participantAtBank'] as const) {
    for (const text of ['', '..', '%2e%2e', 'omnibus', `${account}/balance`, ` ${account}`]) {
      expect([kind, text, await owners.isOwn({ ...owner, custodianId: text }, kind, text)]).toEqual([kind, text, false])
    }
  }
  expect(asked).toEqual([])
})
