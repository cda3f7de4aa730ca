import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TransactionState } from '@bursar/contracts/core-ledger'
import { CustomerOwned } from '@bursar/contracts/participant'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { participantOf } from '../src/accounts/accounts'
import { type Ledger, openLedger } from './harness'
import { complete, depositOf, make, makeAsset, pay, screen, withdrawalOf } from './steps'

const [bank, fund] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
/** The participant service, as far as the ledger asks it. */
let participants: LocalServer
let owned: { customerId: string; participantId: string }[]
let ledger: Ledger
let assetId: string
beforeAll(async () => {
  owned = []
  participants = localServer((request) => {
    const after = Number(new URL(request.url).searchParams.get('after'))
    const items = owned.map((record, i) => ({ version: i + 1, record })).filter(({ version }) => version > after)
    return Response.json({ epoch: 1, items, more: false })
  })
  ledger = await openLedger({ urls: { participant: participants.url } })
  assetId = await makeAsset(ledger, { code: 'WHOSE' })
})
afterAll(async () => {
  await ledger.close()
  await participants.stop()
})

const bench = async (of: Parameters<Ledger['account']>[0]) => {
  const { id: accountId, customerId } = await ledger.account(of)
  return { accountId, customerId, assetId }
}
/** What was published about a transaction. */
const statesOf = async (id: string) =>
  (await ledger.events())
    .filter(({ name }) => name.startsWith('core-ledger.transaction'))
    .map(({ data }) => data as TransactionState)
    .filter((state) => state.id === id)

describe('a transaction is', () => {
  test('that participant’s whose customer has the account, in all its events', async () => {
    const own = await bench({ participantId: bank })
    const { id } = await pay(ledger, own, '5')
    const states = await statesOf(id)
    expect(
      states.map(({ status, participantId, toParticipantId }) => [status, participantId, toParticipantId]),
    ).toEqual([
      ['PENDING', bank, null],
      ['APPROVED', bank, null],
      ['COMPLETED', bank, null],
    ])
    const made = await make(ledger, 'withdrawal', withdrawalOf(own))
    expect(await statesOf(made.id)).toMatchObject([{ participantId: bank }])
  })

  test.each(['OMNIBUS', 'FEE_PAYER'] as const)('of an %s account its own', async (type) => {
    const own = await bench({ type, customerId: null, participantId: fund })
    const { id } = await make(ledger, 'deposit', depositOf(own))
    expect(await statesOf(id)).toMatchObject([{ participantId: fund }])
  })

  test('nobody’s as far as no one is known', async () => {
    const { id } = await make(ledger, 'deposit', depositOf(await bench({})))
    expect(await statesOf(id)).toMatchObject([{ participantId: null }])
  })

  test('not the caller’s, whatever the gateway form says', async () => {
    const own = await bench({ participantId: bank })
    await pay(ledger, own, '5')
    const body = { ...withdrawalOf(own), assetId: undefined, assetCode: 'WHOSE' }
    const path = '/api/v1/core/transactions/withdrawal'
    for (const participantId of [fund, bank]) {
      const made = await ledger.ask('POST', path, { ...body, participantId })
      expect([made.status, made.body.participantId]).toEqual([201, bank])
      expect(await statesOf(`${made.body.id}`)).toMatchObject([{ participantId: bank }])
    }
    const nobodys = await bench({})
    await pay(ledger, nobodys, '5')
    const made = await ledger.ask('POST', path, { ...body, accountId: nobodys.accountId, participantId: fund })
    expect([made.status, made.body.participantId]).toEqual([201, null])
  })

  test('for a transfer the payer’s, and the receiver’s beside it', async () => {
    const [from, to] = [await bench({ participantId: bank }), await bench({ participantId: fund })]
    await pay(ledger, from, '5')
    const transfer = { fromAccountId: from.accountId, toAccountId: to.accountId, assetId, amount: '2' }
    const { id } = await make(ledger, 'transfer', transfer)
    await screen(ledger, id, true)
    await complete(ledger, id)
    expect((await statesOf(id)).map(({ participantId, toParticipantId }) => [participantId, toParticipantId])).toEqual(
      Array(3).fill([bank, fund]),
    )
  })
})

describe('whose a customer is', () => {
  test('is known by its event', async () => {
    const { accountId, customerId } = await bench({})
    const data = { customerId, participantId: bank, epoch: 1, version: 9 }
    await ledger.consume({
      id: Bun.randomUUIDv7(),
      name: CustomerOwned.name,
      type: CustomerOwned.type,
      timestamp: new Date().toISOString(),
      requestId: null,
      service: 'participant',
      data,
    })
    expect(await participantOf(ledger.store.read, accountId)).toBe(bank)
  })

  test('is pulled where the event was lost', async () => {
    const { accountId, customerId } = await bench({})
    owned.push({ customerId, participantId: fund })
    const workers = ledger.startWorkers()
    await until(async () => (await participantOf(ledger.store.read, accountId)) === fund)
    await Promise.all(workers.map((worker) => worker.stop()))
  })
})
