// API keys that may be used from some addresses alone.
import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { rowsIn } from '@bursar/testing/service'
import { openGateway, refused, type TestGateway } from './harness'
import { ask, clientOf, formOf, type OAuthClient, tokenOf } from './oauth'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway({ TRUSTED_PROXIES: '127.0.0.1,10.9.0.0/16' })
})
afterAll(() => gateway.close())
afterEach(() => setSystemTime())

/** A key that may be used from these addresses alone. */
function boundTo(...addresses: string[]): OAuthClient {
  const known = clientOf(gateway)
  gateway.main.issue(known.secret, { participantId: known.id, addresses })
  return known
}
const call = ({ secret }: OAuthClient, from: string, more: Record<string, string> = {}) =>
  gateway.get('/quote/v1/assets', { 'x-api-key': secret, 'x-forwarded-for': from, ...more })

async function trail() {
  const query = 'SELECT * FROM audit_trail ORDER BY number'
  const rows = await rowsIn<
    Record<'action' | 'object' | 'step' | 'door' | 'address' | 'detail', string> & { status: number | null }
  >(gateway.platform.kept('gateway'), query)
  return rows
    .filter(({ action }) => action.startsWith('USE of an API key'))
    .map((row) => ({ ...row, detail: JSON.parse(row.detail) }))
}

describe('a key with addresses', () => {
  test.each([
    ['10.1.2.0/24', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3', '::ffff:10.1.2.3'],
    ['2001:db8:1::/48', '2001:db8:1:2::9'],
    ['2001:db8::1', '[2001:0db8::0001]:4711'],
    ['10.1.2.3', '192.0.2.1, 10.1.2.3'],
    ['10.1.2.3', '10.1.2.3, 10.9.0.1'],
  ])('bound to %s is taken from %s', async (allowed, from) => {
    expect((await call(boundTo('198.51.100.7', allowed), from)).status).toBe(200)
  })

  test.each([
    ['10.1.2.0/24', '10.1.3.1'],
    ['10.1.2.3', '10.1.2.4'],
    ['2001:db8:1::/48', '2001:db8:2::1'],
    ['10.1.2.3', '2001:db8::1'],
    ['10.1.2.3', ''],
    // Whoever calls may write the first entries itself.
    ['10.1.2.3', '10.1.2.3, 192.0.2.1'],
    ['10.1.2.3', '10.1.2.3, not an address'],
  ])('bound to %s is refused from "%s"', async (allowed, from) => {
    expect(refused(await call(boundTo(allowed), from), 403).code).toBe('ADDRESS_NOT_ALLOWED')
  })

  test('is refused beside a user’s token, too', async () => {
    const known = boundTo('10.1.2.3')
    const user = await gateway.user({ participantId: known.id })
    expect((await call(known, '10.1.2.3', user)).status).toBe(200)
    expect(refused(await call(known, '10.1.2.4', user), 403).code).toBe('ADDRESS_NOT_ALLOWED')
  })

  test('gives and takes tokens of OAuth from there alone', async () => {
    const known = clientOf(gateway)
    const token = await tokenOf(gateway, known)
    const withToken = (from: string) =>
      gateway.get('/quote/v1/assets', { authorization: `Bearer ${token}`, 'x-forwarded-for': from })
    expect((await withToken('10.1.2.4')).status).toBe(200)
    gateway.main.issue(known.secret, { participantId: known.id, addresses: ['10.1.2.3'] })
    setSystemTime(new Date(Date.now() + 5001))
    expect(refused(await withToken('10.1.2.4'), 403).code).toBe('ADDRESS_NOT_ALLOWED')
    expect((await withToken('10.1.2.3')).status).toBe(200)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const asked = (from: string) => ask(gateway, formOf(known), { ...form, 'x-forwarded-for': from })
    expect([(await asked('10.1.2.4')).status, (await asked('10.1.2.3')).status]).toEqual([403, 200])
  })

  test('a refusal is in the audit trail, once for a key and an address in ten minutes', async () => {
    const known = boundTo('10.1.2.3')
    const own = async () =>
      (await trail())
        .filter(({ object }) => object === known.id)
        .map(({ step, door, address, status }) => [step, door, address, status])
    for (let i = 0; i < 3; i++) await call(known, '10.1.2.4')
    const once = [
      ['asked', 'api', '10.1.2.4', null],
      ['answered', 'api', '10.1.2.4', 403],
    ]
    expect(await own()).toEqual(once)
    await call(known, '10.1.2.5')
    expect(await own()).toHaveLength(4)
    setSystemTime(new Date(Date.now() + 601_000))
    await call(known, '10.1.2.4')
    expect(await own()).toHaveLength(6)
    expect(JSON.stringify(await trail())).not.toContain(known.secret)
  })

  test('all addresses of one IPv6 network are one place in the audit trail: whoever has it has all of them', async () => {
    const known = boundTo('10.1.2.3')
    const rows = async () => (await trail()).filter(({ object }) => object === known.id).length
    for (const from of ['2001:db8:7:7::1', '2001:db8:7:7::2', '2001:db8:7:7:9::']) {
      expect(refused(await call(known, from), 403).code).toBe('ADDRESS_NOT_ALLOWED')
    }
    expect(await rows()).toBe(2)
    await call(known, '2001:db8:7:8::1')
    expect(await rows()).toBe(4)
  })
})

test('without proxies of ours what a caller says of its address counts for nothing', async () => {
  const alone = await openGateway()
  try {
    alone.main.issue('sk_test_bound', { participantId: Bun.randomUUIDv7(), addresses: ['10.1.2.3'] })
    alone.main.issue('sk_test_local', { participantId: Bun.randomUUIDv7(), addresses: ['127.0.0.0/8'] })
    const from = (key: string) => alone.get('/quote/v1/assets', { 'x-api-key': key, 'x-forwarded-for': '10.1.2.3' })
    expect([(await from('sk_test_bound')).status, (await from('sk_test_local')).status]).toEqual([403, 200])
  } finally {
    await alone.close()
  }
})

test('a key without addresses is taken from anywhere', async () => {
  const known = clientOf(gateway)
  for (const from of ['10.1.2.3', '2001:db8::1', '']) expect((await call(known, from)).status).toBe(200)
})
