import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openGateway, refused, type TestGateway } from './harness'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway?.close())

describe('an address or headers that are too long: 431 in shape 1', () => {
  test.each([
    ['the address', `/quote/v1/assets?search=${'x'.repeat(17_000)}`, {}],
    ['a long address', `/quote/v1/assets?search=${'x'.repeat(200_000)}`, {}],
    ['the path of a page', `/${'x'.repeat(17_000)}`, {}],
    ['the console’s', `/console/api/${'x'.repeat(17_000)}`, {}],
    ['a header', '/quote/v1/assets', { 'x-long': 'x'.repeat(17_000) }],
    ['both together', `/quote/v1/assets?search=${'x'.repeat(9000)}`, { 'x-long': 'x'.repeat(9000) }],
  ])('%s', async (_, path, headers) => {
    const answer = await gateway.ask('GET', path, undefined, { ...headers, 'x-request-id': 'long-1' })
    expect(answer.body.error).toMatchObject({ code: 'HEADERS_TOO_LARGE', requestId: 'long-1' })
    expect(refused(answer, 431).code).toBe('HEADERS_TOO_LARGE')
  })

  test('shorter ones pass', async () => {
    const user = await gateway.user()
    expect((await gateway.get(`/quote/v1/assets?limit=${'1'.repeat(7000)}`, user)).status).toBe(200)
  })
})
