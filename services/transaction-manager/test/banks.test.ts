import { afterEach, describe, expect, test } from 'bun:test'
import type { BankAccountRecord, PfiRecord } from '@bursar/contracts/main-api'
import { CallError, type Client, reconcile } from '@bursar/http'
import { bankAccountReplicas, pfiReplicas } from '../src/banks/banks'
import { openService, refused, type TestTransactionManager } from './harness'

/** A main API whose events are late: it answers calls, and counts them. */
interface LateMain {
  pfis: PfiRecord[]
  accounts: BankAccountRecord[]
  epoch: number
  calls: string[]
  isAway: boolean
}

let manager: TestTransactionManager
afterEach(() => manager.close())

const pfi = (more: Partial<PfiRecord> = {}): PfiRecord => ({
  id: Bun.randomUUIDv7(),
  name: 'Late Bank',
  country: 'US',
  status: 'APPROVED',
  ...more,
})
const account = (participantId: string, more: Partial<BankAccountRecord> = {}): BankAccountRecord => ({
  id: Bun.randomUUIDv7(),
  participantId,
  accountNumber: '1',
  routingNumber: '2',
  currency: 'USD',
  custodianBankId: Bun.randomUUIDv7(),
  custodianBankName: 'Custody',
  ...more,
})

async function open(given: Partial<LateMain> = {}): Promise<LateMain> {
  const main: LateMain = { pfis: [], accounts: [], epoch: 1, calls: [], isAway: false, ...given }
  manager = await openService({ client: () => clientOf(main) })
  return main
}

/** A client of the main API's contract, answered from memory instead of over the network. */
function clientOf(main: LateMain): Client {
  const page = (records: object[]) => ({
    epoch: main.epoch,
    items: records.map((record, i) => ({ version: i + 1, record })),
    more: false,
  })
  const one = (records: { id: string }[], id: string | undefined) => {
    const place = records.findIndex((record) => record.id === id)
    return place < 0 ? null : { ...records[place], epoch: main.epoch, version: place + 1 }
  }
  const answer = (path: string, id: string | undefined): unknown => {
    main.calls.push(path)
    if (main.isAway) throw new CallError('unreachable', 'main-api', 'The main-api service cannot be reached')
    if (path === '/internal/pfi/:id') return one(main.pfis, id)
    if (path === '/internal/bank-accounts/:id') return one(main.accounts, id)
    if (path === '/internal/pfi/changes') return page(main.pfis)
    if (path === '/internal/bank-accounts/changes') return page(main.accounts)
    throw new Error(`The main API has no ${path}`)
  }
  const ask = async (call: { path: string }, input?: { params?: Readonly<Record<string, string>> }) =>
    answer(call.path, input?.params?.id) as never
  return { call: ask, find: ask }
}

const deposit = (participantBankId: string, currency = 'USD') =>
  manager.post('/deposit', { amount: '1', currency, participantBankId })

describe('an account whose event is late', () => {
  test('is fetched, with its participant, and stored', async () => {
    const late = pfi()
    const main = await open({ pfis: [late], accounts: [account(late.id)] })
    const answer = await deposit(main.accounts[0]?.id ?? '')
    expect([answer.status, answer.body.data.toParticipant]).toEqual([201, late.id])
    expect(main.calls).toEqual(['/internal/bank-accounts/:id', '/internal/pfi/:id'])
    expect((await deposit(main.accounts[0]?.id ?? '')).status).toBe(201)
    expect(main.calls).toHaveLength(2)
  })

  test('is found by its participant as well', async () => {
    const late = pfi()
    await open({ pfis: [late], accounts: [account(late.id)] })
    expect((await deposit(late.id)).status).toBe(201)
  })

  test('of an unknown participant or none is not found', async () => {
    const main = await open()
    refused(await deposit(Bun.randomUUIDv7()), 404)
    expect(main.calls).toEqual(['/internal/bank-accounts/:id', '/internal/pfi/:id'])
    const late = pfi()
    main.pfis.push(late)
    refused(await deposit(late.id), 404)
    refused(await deposit('no-uuid'), 404)
  })

  test('cannot be looked up while the main API is unreachable; known ones can be paid', async () => {
    const main = await open({ isAway: true })
    expect(refused(await deposit(Bun.randomUUIDv7()), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The main-api service cannot be reached',
    })
    expect((await manager.get('/transactions')).body.pageInfo.total).toBe(0)
    const { bank } = await manager.party()
    main.calls.length = 0
    expect((await deposit(bank.id)).status).toBe(201)
    expect(main.calls).toEqual([])
  })
})

describe('an approval whose event is late', () => {
  const paused = async (main: LateMain): Promise<string> => {
    const { pfi: known, bank } = await manager.party({ name: 'Late Bank' })
    await manager.pfi({ ...known, status: 'NOT_STARTED' })
    main.pfis.push({ ...known, country: 'US', status: 'APPROVED' })
    // A restart of the main API: all its answers are newer.
    main.epoch = 1000
    main.calls.length = 0
    return bank.id
  }

  test('is fetched before the payment is refused', async () => {
    const main = await open()
    const bankId = await paused(main)
    expect((await deposit(bankId)).status).toBe(201)
    expect((await deposit(bankId)).status).toBe(201)
    expect(main.calls).toEqual(['/internal/pfi/:id'])
  })

  test('is fetched with an account whose event is late as well', async () => {
    const late = pfi({ status: 'APPROVED' })
    const main = await open({ pfis: [late], accounts: [account(late.id)], epoch: 1000 })
    await manager.pfi({ ...late, status: 'NOT_STARTED' })
    expect((await deposit(main.accounts[0]?.id ?? '')).status).toBe(201)
  })

  test('cannot be fetched while the main API is unreachable: the replica counts', async () => {
    const main = await open()
    const bankId = await paused(main)
    main.isAway = true
    expect(refused(await deposit(bankId), 409).message).toStartWith('The participant Late Bank of')
  })
})

describe('the replicas', () => {
  test('follow the events of the main API', async () => {
    await open()
    const { pfi: known, bank } = await manager.party({ name: 'Before' })
    await manager.pfi({ ...known, name: 'After', status: 'PAUSED' })
    expect(refused(await deposit(bank.id), 409).message).toStartWith('The participant After of')
    await manager.pfi({ ...known, status: 'APPROVED' })
    await manager.bank(known.id, { ...bank, custodianBankName: 'New name' })
    expect((await deposit(bank.id)).body.data.wireInstructions.bankName).toBe('New name')
  })

  test('are corrected by the main API’s change feed', async () => {
    const [kept, gone] = [pfi({ name: 'Kept' }), pfi({ name: 'Gone' })]
    const main = await open({ pfis: [kept, gone], accounts: [account(kept.id), account(gone.id)] })
    const [keptAccount, goneAccount] = main.accounts.map(({ id }) => id) as [string, string]
    const pull = async () => {
      await reconcile(manager.deps, pfiReplicas)
      await reconcile(manager.deps, bankAccountReplicas)
    }
    await pull()
    main.calls.length = 0
    expect([(await deposit(keptAccount)).status, (await deposit(goneAccount)).status]).toEqual([201, 201])
    expect(main.calls).toEqual([])
    // Restored from a backup: another epoch, without one of the participants.
    Object.assign(main, { epoch: 2, pfis: [{ ...kept, status: 'PAUSED' }], accounts: [main.accounts[0]] })
    await pull()
    refused(await deposit(keptAccount), 409)
    refused(await deposit(goneAccount), 404)
  })

  test('keep the names under which payments were created', async () => {
    await open()
    const { pfi: known, bank } = await manager.party({ name: 'Then' })
    const { body } = await deposit(bank.id)
    await manager.pfi({ ...known, name: 'Now' })
    expect((await manager.get(`/transactions/${body.data.id}`)).body.data.to.participantName).toBe('Then')
  })
})
