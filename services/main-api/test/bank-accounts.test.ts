import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { insertAll } from '@bursar/store'
import { bankAccounts } from '../src/custodian-banks/bank-accounts.table'
import { bank, moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

let service: TestMainApi
let id: string
let custodianBankId: string
let britishBankId: string
beforeAll(async () => {
  service = await openService()
  id = (await registered(service)).id
  custodianBankId = (await service.create('/admin/custodian-bank', bank({ name: 'Summit Trust' }))).id
  britishBankId = (await service.create('/admin/custodian-bank', bank({ country: 'GB' }))).id
})
afterAll(() => service.close())

let made = 0
const account = (fields: object = {}) => ({
  accountNumber: `0001234${++made}`,
  routingNumber: '021000021',
  accountType: 'CHECKING',
  currency: 'USD',
  custodianBankId,
  ...fields,
})
const add = async (fields: object = {}, of = id) => await service.post(`/participants/${of}/accounts`, account(fields))

describe('POST /participants/:id/accounts', () => {
  test('201 with the account, its numbers in their normal form', async () => {
    const { status, body } = await add({
      accountNumber: 'de89 3704 0044 0532 0130 00',
      routingNumber: '021-000-021',
      currency: 'eur',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      participantId: id,
      accountNumber: 'DE89370400440532013000',
      routingNumber: '021000021',
      accountType: 'CHECKING',
      currency: 'EUR',
      custodianBankId,
      custodianBankName: 'Summit Trust',
      createdAt: body.createdAt,
    })
    expect((await service.get(`/participants/${id}/accounts`)).body.data).toContainEqual(body)
  })

  test('a BIC, and a sort code where the bank is in Britain', async () => {
    expect((await add({ routingNumber: 'chasus33' })).body.routingNumber).toBe('CHASUS33')
    const { body } = await add({ routingNumber: '20-00-00', custodianBankId: britishBankId })
    expect(body.routingNumber).toBe('200000')
  })

  test.each([
    ['routingNumber', '123456789', 'routingNumber is not a valid ABA routing number: its check digit is wrong'],
    ['routingNumber', '200000', 'routingNumber must be an ABA routing number of 9 digits, or a BIC'],
    ['routingNumber', '---', 'routingNumber must be an ABA routing number of 9 digits, or a BIC'],
    ['accountNumber', 'DE89370400440532013001', 'accountNumber is not a valid IBAN'],
    ['accountNumber', "1'; drop table bank_accounts", 'accountNumber must be an IBAN, or 1 to 34 letters and digits'],
    ['accountNumber', '', 'accountNumber should not be empty'],
    ['accountNumber', 123, 'accountNumber must be a string'],
    ['accountType', ' ', 'accountType should not be blank'],
    ['currency', 'USX', 'currency must be an ISO 4217 currency code, such as USD'],
    ['currency', 'XAU', 'currency must be an ISO 4217 currency code, such as USD'],
    ['currency', 'US', 'currency must be at least 3 characters long'],
    ['custodianBankId', 'x', 'custodianBankId must be a UUID'],
  ])('400 for %s %p', async (field, value, message) => {
    expect(refused(await add({ [field]: value }), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message,
      details: [{ field, message }],
    })
  })

  test('400 naming both numbers at once, and every missing field', async () => {
    const { details } = refused(await add({ accountNumber: 'ß', routingNumber: '1' }), 400)
    expect((details as { field: string }[]).map(({ field }) => field)).toEqual(['accountNumber', 'routingNumber'])
    const { message } = refused(await service.post(`/participants/${id}/accounts`, {}), 400)
    expect(message.split('; ')).toHaveLength(5)
  })

  test('404 for an unknown participant or bank, and for a deleted bank', async () => {
    expect(refused(await add({}, nobody), 404).message).toBe('Participant not found')
    expect(refused(await add({ custodianBankId: nobody }), 404).message).toBe('Custodian bank not found')
    const gone = await service.create('/admin/custodian-bank', bank())
    await service.del(`/admin/custodian-bank/${gone.id}`)
    expect(refused(await add({ custodianBankId: gone.id }), 404).message).toBe('Custodian bank not found')
  })

  test('409 for an account that exists, whoever has it; in another currency it is another account', async () => {
    const accountNumber = '77007700'
    const other = await registered(service)
    expect((await add({ accountNumber })).status).toBe(201)
    expect(refused(await add({ accountNumber: '7700-7700' }), 409).message).toBe('This bank account already exists')
    expect(refused(await add({ accountNumber }, other.id), 409).code).toBe('CONFLICT')
    expect((await add({ accountNumber, currency: 'EUR' })).status).toBe(201)
  })

  test('409 for more than a thousand: one answer has them all', async () => {
    const crowded = (await registered(service)).id
    const { body } = await add({}, crowded)
    const rows = Array.from({ length: 999 }, (_, i) => ({
      ...body,
      id: Bun.randomUUIDv7(),
      accountNumber: `CROWD${i}`,
      createdAt: new Date(),
    }))
    await service.store.commit((tx) => insertAll(bankAccounts)(tx, rows))
    expect(refused(await add({}, crowded), 409).message).toBe('A participant has at most 1000 bank accounts')
    expect((await service.get(`/participants/${crowded}/accounts`)).body.data).toHaveLength(1000)
  })

  test('409 for an offboarded participant', async () => {
    const gone = await registered(service)
    await moved(service, gone.id, 'OFFBOARDED')
    expect(refused(await add({}, gone.id), 409).message).toBe('An offboarded participant cannot get a bank account')
  })

  test('of concurrent requests for one account one succeeds', async () => {
    const fields = { accountNumber: '88008800' }
    const answers = await Promise.all([add(fields), add(fields), add(fields)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test('is made once for one Idempotency-Key', async () => {
    const body = account()
    const send = () => service.post(`/participants/${id}/accounts`, body, { 'idempotency-key': 'account-1' })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })
})

describe('GET /participants/:id/accounts', () => {
  test('200 with its own alone, oldest first', async () => {
    const other = await registered(service)
    const [first, second] = [(await add({}, other.id)).body, (await add({}, other.id)).body]
    expect((await service.get(`/participants/${other.id}/accounts`)).body).toEqual({ data: [first, second] })
  })

  test('404 for an unknown participant, 400 for an id that is not a UUID', async () => {
    expect(refused(await service.get(`/participants/${nobody}/accounts`), 404).message).toBe('Participant not found')
    expect(refused(await service.get('/participants/x/accounts'), 400).message).toBe(uuidExpected)
  })
})

describe('for other services', () => {
  test('BankAccountChanged, the changes and the state agree', async () => {
    const own = await openService()
    const participant = await registered(own)
    const summit = await own.create('/admin/custodian-bank', bank())
    const { id: accountId } = await own.create(
      `/participants/${participant.id}/accounts`,
      account({ custodianBankId: summit.id }),
    )
    const headers = await own.asService('transaction-manager')
    const events = (await own.events()).filter(({ name }) => name === 'main-api.bank-account.changed')
    expect(events).toHaveLength(1)
    const state = (await own.get(`/internal/bank-accounts/${accountId}`, headers)).body
    expect(state).toEqual(events[0]?.data)
    expect(state).toMatchObject({ id: accountId, participantId: participant.id, custodianBankName: summit.name })
    const { epoch, items, more } = (await own.get('/internal/bank-accounts/changes', headers)).body
    expect([items.length, more]).toEqual([1, false])
    expect({ ...items[0].record, version: items[0].version, epoch }).toEqual(state)
    expect((await own.get(`/internal/bank-accounts/changes?after=${items[0].version}`, headers)).body.items).toEqual([])
    await own.close()
  })

  test('401 for other callers than services, 404 for an unknown id', async () => {
    for (const path of ['/internal/bank-accounts/changes', `/internal/bank-accounts/${nobody}`]) {
      expect(refused(await service.get(path), 401).code).toBe('UNAUTHORIZED')
    }
    const headers = await service.asService('transaction-manager')
    const answer = await service.get(`/internal/bank-accounts/${nobody}`, headers)
    expect(refused(answer, 404).message).toBe('Bank account not found')
  })
})
