import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accountMark } from '../src/accounts/accounts'
import { refreshAccounts, rememberedMarks } from '../src/withdrawals/refresh-account'
import { type Ledger, openLedger } from './harness'
import { newAccount, newCustomer } from './owners'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

test('a state that the replicas have is neither read nor stored again, until one of them changes', async () => {
  const { store } = ledger
  const customer = newCustomer()
  const account = newAccount({ customerId: customer.id })
  const version = { account: 1, customer: 1 }
  const owners = {
    account: async () => ({ account, participantId: null, epoch: 1, version: version.account }),
    customer: async () => ({ customer, epoch: 1, version: version.customer }),
  }
  const deps = { store, owners, marks: rememberedMarks(store) }
  const refreshed = async () => {
    const before = store.counts()
    expect(await refreshAccounts(deps, [account.id])).toBeNull()
    const { bodies, statements } = store.counts()
    return { bodies: bodies - before.bodies, isRead: statements > before.statements }
  }
  expect(await refreshed()).toMatchObject({ bodies: 2 })
  // What was stored is read once.
  expect(await refreshed()).toEqual({ bodies: 0, isRead: true })
  expect(await refreshed()).toEqual({ bodies: 0, isRead: false })
  for (const changed of ['account', 'customer'] as const) {
    version[changed] = 2
    expect(await refreshed()).toMatchObject({ bodies: 1 })
    expect(await refreshed()).toEqual({ bodies: 0, isRead: true })
    expect(await refreshed()).toEqual({ bodies: 0, isRead: false })
  }
  expect(await accountMark(store.read, account.id)).toMatchObject({ epoch: 1, version: 2 })
})
