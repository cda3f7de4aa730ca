// Institutions that may come from some addresses alone.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rowsIn } from '@bursar/testing/service'
import { openConsole, ownPage, type TestConsole } from './console-harness'
import { ask, clientOf, form, formOf, type OAuthClient, tokenOf } from './oauth'

let opened: TestConsole
let chief: string

beforeAll(async () => {
  opened = await openConsole({ TRUSTED_PROXIES: '127.0.0.1' })
  chief = await opened.logIn()
})
afterAll(() => opened?.close())

const pathOf = ({ id }: Pick<OAuthClient, 'id'>) => `/institutions/${id}/addresses`
const put = (of: Pick<OAuthClient, 'id'>, addresses: unknown, cookie = chief) =>
  opened.ask(pathOf(of), { method: 'PUT', body: { addresses }, cookie })
async function boundTo(...addresses: string[]): Promise<OAuthClient> {
  const known = clientOf(opened)
  expect(await put(known, addresses)).toMatchObject({ status: 200, body: { addresses } })
  return known
}
const callWith = async (headers: Record<string, string>, from: string) => {
  const answer = await fetch(`${opened.url}/core/v1/assets`, { headers: { ...headers, 'x-forwarded-for': from } })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return error ? `${answer.status} ${error.code}` : answer.status
}
const call = ({ secret }: OAuthClient, from: string) => callWith({ 'x-api-key': secret }, from)
const foreign = '403 ADDRESS_NOT_ALLOWED'

async function acts(id: string): Promise<unknown[]> {
  const columns = 'step, door, action, address, status'
  const query = `SELECT ${columns} FROM audit_trail WHERE object = '${id}' ORDER BY number`
  const rows = await rowsIn(opened.platform.kept('gateway'), query)
  return rows.map(({ step, door, action, address, status }) => [step, door, action, address, status])
}

test('all keys and tokens of the institution are taken from its addresses alone', async () => {
  const known = await boundTo('10.1.2.0/24', '2001:db8:1::/48')
  const other = clientOf(opened)
  for (const from of ['10.1.2.3', '2001:db8:1::9']) expect(await call(known, from)).toBe(200)
  for (const from of ['10.1.3.1', '2001:db8:2::9', '']) expect(await call(known, from)).toBe(foreign)
  expect(await call(other, '10.1.3.1')).toBe(200)
  const asked = (from: string) => ask(opened, formOf(known), { ...form, 'x-forwarded-for': from })
  expect([(await asked('10.1.3.1')).status, (await asked('10.1.2.3')).status]).toEqual([403, 200])
})

test('the audit trail has the address of whoever sets a list, also below the version prefix', async () => {
  const known = clientOf(opened)
  for (const prefix of ['', '/v1']) {
    const answer = await fetch(`${opened.url}${prefix}/console/api${pathOf(known)}`, {
      method: 'PUT',
      headers: { ...ownPage, 'content-type': 'application/json', cookie: chief, 'x-forwarded-for': '10.9.9.9' },
      body: JSON.stringify({ addresses: [] }),
    })
    expect([prefix, answer.status]).toEqual([prefix, 200])
  }
  const addresses = (
    await rowsIn(opened.platform.kept('gateway'), `SELECT address FROM audit_trail WHERE object = '${known.id}'`)
  ).map(({ address }) => address)
  expect(addresses).toEqual(['10.9.9.9', '10.9.9.9', '10.9.9.9', '10.9.9.9'])
})

test('a list takes effect at once, also on tokens that were issued, and so does its end', async () => {
  const known = clientOf(opened)
  const authorization = `Bearer ${await tokenOf(opened, known)}`
  expect(await callWith({ authorization }, '10.1.2.4')).toBe(200)
  await put(known, ['10.1.2.3'])
  expect(await callWith({ authorization }, '10.1.2.4')).toBe(foreign)
  expect(await callWith({ authorization }, '10.1.2.3')).toBe(200)
  await put(known, [])
  expect(await callWith({ authorization }, '10.1.2.4')).toBe(200)
  expect((await opened.ask(pathOf(known), { cookie: chief })).body).toEqual({ addresses: [] })
})

test('its users come from there, too; an administrator may come from anywhere', async () => {
  const known = await boundTo('10.1.2.3')
  const user = await opened.member({ role: 'participant-admin', participantId: known.id })
  const answer = await fetch(`${opened.url}/identity/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  })
  const { data } = (await answer.json()) as { data: { accessToken: string } }
  const authorization = `Bearer ${data.accessToken}`
  const own = { authorization, 'x-api-key': known.secret }
  expect([await callWith(own, '10.1.2.3'), await callWith(own, '10.1.2.4')]).toEqual([200, foreign])
  expect(await callWith({ authorization }, '10.1.2.4')).toBe(foreign)
  expect((await put(known, ['10.1.2.9'])).status).toBe(200)
})

const refusedOfConsole = [
  ['asked', 'console', 'REQUEST from a foreign address', '10.1.2.4', null],
  ['answered', 'console', 'REQUEST from a foreign address', '10.1.2.4', 403],
]

test('a session of the console searches from there alone, too', async () => {
  const known = await boundTo('10.1.2.3')
  const cookie = await opened.logIn(await opened.member({ role: 'participant-admin', participantId: known.id }))
  const search = (from: string, by = cookie) =>
    opened.ask('/search?q=bank', { cookie: by, headers: { 'x-forwarded-for': from } })
  expect((await search('10.1.2.3')).status).toBe(200)
  const answer = await search('10.1.2.4')
  expect([answer.status, answer.body.error?.code]).toEqual([403, 'ADDRESS_NOT_ALLOWED'])
  expect((await search('10.1.2.4', chief)).status).toBe(200)
  expect((await acts(known.id)).slice(2)).toEqual(refusedOfConsole)
})

test('a refused request that the console passes on is in the audit trail as one of the console', async () => {
  const known = await boundTo('10.1.2.3')
  const cookie = await opened.logIn(await opened.member({ role: 'participant-admin', participantId: known.id }))
  const answer = await opened.ask('/core/v1/assets', { cookie, headers: { 'x-forwarded-for': '10.1.2.4' } })
  expect(answer.status).toBe(403)
  expect((await acts(known.id)).slice(2)).toEqual(refusedOfConsole)
})

test('refusals and changes are in the audit trail: a refusal once in ten minutes for a key and an address', async () => {
  const known = await boundTo('10.1.2.3')
  for (let i = 0; i < 3; i++) await call(known, '10.1.2.4')
  const change = 'PUT /console/api/institutions/:id/addresses'
  const use = 'USE of an API key from a foreign address'
  expect(await acts(known.id)).toEqual([
    ['asked', 'console', change, '127.0.0.1', null],
    ['answered', 'console', change, '127.0.0.1', 200],
    ['asked', 'api', use, '10.1.2.4', null],
    ['answered', 'api', use, '10.1.2.4', 403],
  ])
})

test('staff reads a list, and an administrator alone changes it; a wrong one changes nothing', async () => {
  const known = await boundTo('10.1.2.3')
  const operator = await opened.logIn(await opened.member({ role: 'operator' }))
  expect((await opened.ask(pathOf(known), { cookie: operator })).body).toEqual({ addresses: ['10.1.2.3'] })
  expect((await put(known, [], operator)).status).toBe(403)
  expect((await put(known, [], '')).status).toBe(401)
  expect((await opened.ask(pathOf(known))).status).toBe(401)
  for (const wrong of [['10.1.2.3/33'], ['somewhere'], [''], 'any', [1], Array(201).fill('10.1.2.3')])
    expect([wrong, (await put(known, wrong)).status]).toEqual([wrong, 400])
  expect((await put({ id: 'none' }, [])).status).toBe(400)
  expect((await opened.ask(pathOf(known), { cookie: chief })).body).toEqual({ addresses: ['10.1.2.3'] })
  expect((await acts(known.id)).filter((act) => JSON.stringify(act).includes('403'))).toHaveLength(1)
})
