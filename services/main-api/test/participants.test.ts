import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openService, type TestMainApi } from './harness'

let service: TestMainApi
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const lakeside = {
  name: 'Lakeside Payments',
  email: 'treasury@lakeside.example',
  country: 'us',
  businessType: 'BANK',
  registrationNumber: '84-2113907',
  address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'USA' },
}

describe('POST /participants', () => {
  test('stores the institution, not started', async () => {
    const made = await service.create('/participants', lakeside)
    const headers = await service.asParticipant(made.id)
    expect((await service.get('/participants/detail', headers)).body).toEqual(made)
    console.log((await service.get(`/admin/pfi/${made.id}`)).body, (await service.get('/admin/pfi')).body)
    const key = await service.create('/participants/api-key', { expirationDate: 3 }, headers)
    console.log(key, (await service.get('/participants/api-key', { 'x-api-key': key.data.apiKey })).body)
    console.log((await service.put(`/admin/pfi/${made.id}/status`, { status: 'APPROVED', comments: 'x' })).body)
  })
})
