import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { readCall, writeCall } from '@bursar/contracts/call'
import { t, uuid } from '@bursar/contracts/schema'
import { freePort, localServer, tempDir } from '@bursar/testing'
import { createClient, createIdentity, inRequest, serviceConfig } from '../src'
import { openInternalSecret } from '../src/peers/identity'

const secret = openInternalSecret(tempDir(), undefined)
const id = '018f2f3e-0000-7000-8000-000000000000'
const thing = () => Response.json({ id })
const peer = localServer(thing)
beforeEach(() => peer.answer(thing))
afterAll(() => peer.stop())
const Thing = t.Object({ id: uuid() })
const getThing = readCall('wallet', 'GET', '/v1/things/:id', Thing)
const makeThing = writeCall('wallet', 'POST', '/v1/things', t.Object({ name: t.String() }), Thing)

const urls = { ...serviceConfig({}, 'account').urls, wallet: peer.url }
const identity = createIdentity('account', secret, () => new Date())
// A busy machine may keep a call for longer than a service waits.
const client = createClient({ name: 'account', identity, urls, timeoutMs: 60_000 })
const lastRequest = () => peer.requests.at(-1)

describe('a call to another service', () => {
  test('fills in the path and query, and answers what the contract says', async () => {
    expect(await client.call(getThing, { params: { id: 'a/b' }, query: { full: 'yes' } })).toEqual({ id })
    expect(lastRequest()).toMatchObject({ method: 'GET', path: '/v1/things/a%2Fb?full=yes' })
  })

  test('carries a body, the idempotency key, the request id and who calls', async () => {
    const context = { id: 'request-1', path: '/', route: null, body: '' }
    await inRequest(context, () => client.call(makeThing, { body: { name: 'x' }, idempotencyKey: 'key-1' }))
    expect(lastRequest()?.body).toBe('{"name":"x"}')
    expect(lastRequest()?.headers.get('x-request-id')).toBe('request-1')
    expect(lastRequest()?.headers.get('idempotency-key')).toBe('key-1')
    const request = new Request('http://localhost', { headers: lastRequest()?.headers })
    const caller = { kind: 'service', subject: 'account', participantId: null, custodianId: null, roles: [] }
    expect(await createIdentity('wallet', secret, () => new Date()).read(request)).toEqual(caller as never)
    // The token is for the wallet service alone.
    await expect(createIdentity('quote', secret, () => new Date()).read(request)).rejects.toMatchObject({ status: 401 })
  })

  const problem = async (call = client.call(getThing, { params: { id } })) =>
    call.then(
      () => null,
      (error) => ({ problem: error.problem, status: error.status, message: error.message }),
    )

  test.each([
    [{ error: { code: 'NOT_FOUND', message: 'no such thing' } }, 'no such thing'],
    [{ statusCode: 404, message: ['a', 'b'], error: 'Not Found' }, 'a; b'],
    [{ statusCode: '404', error: ['gone'] }, 'gone'],
    ['<html>', 'no reason given'],
  ])('refused in the words of the answer: %j', async (body, message) => {
    peer.answer(() => Response.json(body, { status: 404 }))
    expect(await problem()).toEqual({ problem: 'refused', status: 404, message })
  })

  test.each(['', '.', '..', '%2e'])('%j in a path leads to nothing, and never to another record', async (id) => {
    const before = peer.requests.length
    expect(await problem(client.call(getThing, { params: { id } }))).toEqual(
      id === '%2e' ? null : { problem: 'refused', status: 404, message: `no path leads to "${id}"` },
    )
    if (id === '%2e') return expect(lastRequest()?.path).toBe('/v1/things/%252e')
    expect(await client.find(getThing, { params: { id } })).toBeNull()
    expect(peer.requests.length).toBe(before)
  })

  test('null for what is not there, when that is asked for', async () => {
    peer.answer(() => Response.json({ message: 'no such thing' }, { status: 404 }))
    expect(await client.find(getThing, { params: { id } })).toBeNull()
    peer.answer(() => Response.json({ message: 'not now' }, { status: 503 }))
    expect(await problem(client.find(getThing, { params: { id } }) as never)).toMatchObject({ status: 503 })
  })

  test('goes nowhere else when the service redirects', async () => {
    peer.answer(() => Response.redirect(`${peer.url}/elsewhere`, 302))
    expect(await problem()).toMatchObject({ problem: 'unreachable' })
    expect(lastRequest()?.path).not.toBe('/elsewhere')
  })

  test('an answer that breaks the contract', async () => {
    peer.answer(() => Response.json({ id: 5 }))
    expect(await problem()).toMatchObject({ problem: 'broken' })
  })

  test('no answer in time', async () => {
    // One of its own: what it hears after the call was given up is none of the others' requests.
    const silent = localServer(() => new Promise<never>(() => {}))
    const late = createClient({ name: 'account', identity, urls: { ...urls, wallet: silent.url }, timeoutMs: 100 })
    expect(await problem(late.call(getThing, { params: { id } }))).toMatchObject({ problem: 'timeout', status: null })
    await silent.stop()
  })

  test('for the log its cause names the call and what came of it, without values and addresses', async () => {
    const causeOf = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'none',
        (error) => error.cause?.message,
      )
    peer.answer(() => Response.json({ id: 4711 }))
    expect(await causeOf(client.call(getThing, { params: { id } }))).toBe('GET /v1/things/:id: /id: Expected string')
    peer.answer(() => new Response('<html>'))
    expect(await causeOf(client.call(getThing, { params: { id } }))).toBe('GET /v1/things/:id: no JSON')
    const hidden = `http://user:hidden@127.0.0.1:${await freePort()}`
    const lonely = createClient({ name: 'account', identity, urls: { ...urls, wallet: hidden }, timeoutMs: 60_000 })
    const cause = await causeOf(lonely.call(makeThing, { body: { name: 'x' } }))
    expect(cause).toMatch(/^POST \/v1\/things: .+ \(\w+\)$/)
    expect(cause).not.toContain('hidden')
  })

  test('nobody there', async () => {
    const nobody = { ...urls, wallet: `http://127.0.0.1:${await freePort()}` }
    const lonely = createClient({ name: 'account', identity, urls: nobody, timeoutMs: 60_000 })
    expect(await problem(lonely.call(getThing, { params: { id } }))).toMatchObject({ problem: 'unreachable' })
  })
})
