import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bank, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

let service: TestMainApi
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const add = async (fields: object = {}) => await service.post('/admin/custodian-bank', bank(fields))

describe('POST /admin/custodian-bank', () => {
  test('201 with the bank; it is active unless it says otherwise', async () => {
    const first = await add({ name: 'Glacier Trust', country: 'che', services: ['CUSTODY', 'SETTLEMENT'] })
    const { id } = first.body
    const services = ['CUSTODY', 'SETTLEMENT']
    expect([first.status, first.body]).toEqual([
      201,
      { id, name: 'Glacier Trust', country: 'CH', services, status: 'ACTIVE' },
    ])
    expect((await add({ status: 'INACTIVE' })).body).toMatchObject({ services: [], status: 'INACTIVE' })
  })

  test.each([
    [{ name: undefined }, 'name should not be empty'],
    [{ name: '\t' }, 'name should not be blank'],
    [{ name: 'a\tb' }, 'name must not hold control characters'],
    [{ country: 'Atlantis' }, 'country must be at most 3 characters long'],
    [{ country: 'AA' }, 'country must be an ISO 3166-1 country code, such as US'],
    [{ services: 'CUSTODY' }, 'services must be an array'],
    [{ services: [''] }, 'services.0 should not be empty'],
    [{ services: Array(21).fill('A') }, 'services must have at most 20 items'],
    [{ status: 'active' }, 'status must be one of the following values: ACTIVE, INACTIVE'],
  ])('400 for %j', async (fields, message) => {
    expect(refused(await add(fields), 400).message).toBe(message)
  })

  test('409 for a name that is taken, in any case', async () => {
    await add({ name: 'Ünique' })
    expect(refused(await add({ name: 'üNIQUE' }), 409).message).toBe('Another custodian bank has this name')
  })

  test('is made once for one Idempotency-Key', async () => {
    const body = bank()
    const send = () => service.post('/admin/custodian-bank', body, { 'idempotency-key': 'bank-1' })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body]).toEqual([201, first.body])
  })
})

describe('GET /admin/custodian-bank and /custodians', () => {
  test('200: all by pages for administrators, the active ones by name for participants', async () => {
    const own = await openService()
    const [b, a, inactive] = [
      await own.create('/admin/custodian-bank', bank({ name: 'beta' })),
      await own.create('/admin/custodian-bank', bank({ name: 'Alpha' })),
      await own.create('/admin/custodian-bank', bank({ name: 'Gamma', status: 'INACTIVE' })),
    ]
    expect((await own.get('/admin/custodian-bank')).body).toEqual({
      data: [b, a, inactive],
      pageInfo: { limit: 20, offset: 0, total: 3 },
    })
    expect((await own.get('/admin/custodian-bank?limit=1&offset=1')).body.data).toEqual([a])
    expect((await own.get('/admin/custodian-bank?limit=0')).body.pageInfo.total).toBe(3)
    expect((await own.get('/custodians')).body).toEqual({ data: [a, b] })
    await own.close()
  })

  test.each(['limit=101', 'limit=-1', 'offset=x'])('400 for %s', async (query) => {
    expect(refused(await service.get(`/admin/custodian-bank?${query}`), 400).code).toBe('INVALID_REQUEST')
  })
})

describe('DELETE /admin/custodian-bank/:id', () => {
  test('200; the bank is gone, and its name free', async () => {
    const { id, name } = (await add()).body
    expect(await service.del(`/admin/custodian-bank/${id}`)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Custodian bank deleted' },
    })
    const { data } = (await service.get('/admin/custodian-bank?limit=100')).body
    expect(data.map((each: { id: string }) => each.id)).not.toContain(id)
    expect(refused(await service.del(`/admin/custodian-bank/${id}`), 404).message).toBe('Custodian bank not found')
    expect((await add({ name })).status).toBe(201)
  })

  test('409 while a participant has an account at it', async () => {
    const { id } = (await add()).body
    const participant = await registered(service)
    await service.create(`/participants/${participant.id}/accounts`, {
      accountNumber: '4711',
      routingNumber: '026009593',
      accountType: 'CHECKING',
      currency: 'USD',
      custodianBankId: id,
    })
    expect(refused(await service.del(`/admin/custodian-bank/${id}`), 409).message).toBe(
      'Participants have accounts at this custodian bank',
    )
    const { data } = (await service.get('/custodians')).body
    expect(data.map((each: { id: string }) => each.id)).toContain(id)
  })

  test('404 for an unknown id, 400 for an id that is not a UUID', async () => {
    expect(refused(await service.del(`/admin/custodian-bank/${nobody}`), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.del('/admin/custodian-bank/x'), 400).message).toBe(uuidExpected)
  })
})
