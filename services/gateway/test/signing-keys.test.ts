import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { type Client, createClient, createIdentity, serviceConfig } from '@bursar/http'
import { fixedClock, until } from '@bursar/testing'
import { followingOthers } from '../src/access/follow'
import { createPublicKeys } from '../src/access/public-keys'
import { createRevocations } from '../src/access/revocations'
import { createTokens } from '../src/access/tokens'
import { openGateway, refused, type TestGateway } from './harness'
import { identityPeer, signingKey, tokenOf } from './peers'

const away = () => new Response(null, { status: 503 })
const jwks = '/v1/.well-known/jwks.json'

describe('the gateway follows the keys of the identity manager', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await openGateway()
  })
  afterEach(() => gateway.identity.server.answer(gateway.identity.handle))
  afterAll(() => gateway?.close())

  const ask = async (token: string) => await gateway.get('/quote/v1/assets', { authorization: `Bearer ${token}` })
  const asked = () => gateway.identity.server.requests.filter(({ path }) => path === jwks).length

  test('a token that was verified before is refused within seconds of its key being dropped', async () => {
    const dropped = await signingKey('dropped')
    gateway.identity.keys.push(dropped)
    const token = await tokenOf(dropped)
    const other = await tokenOf(gateway.key)
    // Another test's may have been asked for just now: then this one comes with the next look at the keys.
    await until(async () => (await ask(token)).status === 200, { what: 'the key to be known' })
    expect((await ask(other)).status).toBe(200)
    gateway.identity.keys.pop()
    const isRefused = async () => (await ask(token)).status === 401
    await until(isRefused, { what: 'the token of the dropped key to be refused' })
    expect(refused(await ask(token), 401)).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'The key that signed the access token was dropped; get another token',
    })
    expect((await ask(other)).status).toBe(200)
  })

  test('a key is known before the first token of it comes', async () => {
    const next = await signingKey('next')
    const before = asked()
    gateway.identity.keys.push(next)
    // The second answer from now on has the key in any case.
    await until(() => asked() >= before + 2, { what: 'the keys to be read' })
    gateway.identity.server.answer(away)
    await until(async () => (await ask(await tokenOf(next))).status === 200, { what: 'the next key' })
  })
})

describe('with a fixed clock', () => {
  const now = fixedClock('2026-03-01T12:00:00.000Z')
  const peer = identityPeer([])
  const identity = createIdentity('gateway', crypto.getRandomValues(new Uint8Array(32)), () => new Date())
  const { urls } = serviceConfig({ IDENTITY_URL: peer.server.url }, 'gateway')
  // On a busy machine the usual five seconds may pass.
  const client = createClient({ name: 'gateway', identity, urls, timeoutMs: 60_000 })
  const asked = () => peer.server.requests.filter(({ path }) => path === jwks).length
  afterEach(() => {
    peer.server.answer(peer.handle)
    peer.keys.length = 0
  })
  afterAll(() => peer.server.stop())

  function open() {
    const clock = () => now().getTime()
    const keys = createPublicKeys(client, clock)
    const revocations = createRevocations(client, clock)
    const follow = async () => {
      const loops = followingOthers({
        log: silentLog,
        publicKeys: keys,
        revocations,
        institutions: { pull: async () => {} },
      })
      await Promise.all(loops.map((loop) => loop.runNow()))
      await Promise.all(loops.map((loop) => loop.stop()))
    }
    return { keys, follow, revocations, tokens: createTokens(keys, revocations, clock) }
  }

  test('a verified token is valid while its key is published, and no longer', async () => {
    const one = await signingKey('one')
    peer.keys.push(one)
    const { keys, follow, tokens } = open()
    const token = await tokenOf(one)
    const { sessionId } = await tokens.verify(token, 'digest')
    expect(tokens.known('digest')?.sessionId).toBe(sessionId)
    peer.keys[0] = await signingKey('two')
    await follow()
    expect(() => tokens.known('digest')).toThrow('was dropped')
    expect(await keys.find('one')).toBeNull()
    expect(await keys.find('two')).not.toBeNull()
  })

  test('known keys stay in use while the identity manager is unavailable, or its answer is unusable', async () => {
    const one = await signingKey('one')
    peer.keys.push(one)
    const { keys, follow, tokens } = open()
    await tokens.verify(await tokenOf(one), 'digest')
    for (const answer of [away, () => Response.json({ keys: 'none' }), () => new Response('<html>')]) {
      peer.server.answer(answer)
      await follow()
      expect(tokens.known('digest')).toBeDefined()
      expect(await keys.find('one')).not.toBeNull()
    }
  })

  test('a key published just after the last look is fetched at once, unknown ones every 3 s', async () => {
    const { keys, follow } = open()
    await follow()
    peer.keys.push(await signingKey('late'))
    expect(await keys.find('late')).not.toBeNull()
    const before = asked()
    for (const kid of ['a', 'b', 'c']) expect(await keys.find(kid)).toBeNull()
    expect(asked()).toBe(before)
    now.advance(3000)
    for (const kid of ['a', 'b', 'c']) expect(await keys.find(kid)).toBeNull()
    expect(asked()).toBe(before + 1)
  })

  test('no token passes before the list of ended sessions was read', async () => {
    const one = await signingKey('one')
    peer.keys.push(one)
    const ended = Bun.randomUUIDv7()
    peer.revoke(ended)
    const token = await tokenOf(one, { sid: ended })
    const { tokens } = open()
    await expect(tokens.verify(token, 'digest')).rejects.toThrow('The session has ended')
    const { tokens: cut } = open()
    peer.server.answer((request) =>
      new URL(request.url).pathname === '/internal/revocations/changes' ? away() : peer.handle(request),
    )
    await expect(cut.verify(await tokenOf(one), 'digest')).rejects.toThrow('cannot be verified')
    peer.server.answer(peer.handle)
    expect((await cut.verify(await tokenOf(one), 'digest')).sessionId).toBeString()
  })

  test('sessions ended after a restore of the identity manager are known, although their numbers repeat', async () => {
    const one = await signingKey('one')
    peer.keys.push(one)
    peer.restore()
    // More than are read again each time.
    const before = Array.from({ length: 300 }, () => Bun.randomUUIDv7())
    for (const id of before) peer.revoke(id)
    const { follow, tokens, revocations } = open()
    await follow()
    peer.restore()
    const after = Bun.randomUUIDv7()
    peer.revoke(after)
    await follow()
    await expect(tokens.verify(await tokenOf(one, { sid: after }), 'digest')).rejects.toThrow('The session has ended')
    const later = Bun.randomUUIDv7()
    peer.revoke(later)
    await follow()
    expect(revocations.has(later)).toBe(true)
    // What had ended stays so: the tokens of before the restore live on.
    expect(before.every((id) => revocations.has(id))).toBe(true)
  })
})

test('a key that was published while the keys were being read is found by its first token', async () => {
  const [old, fresh] = [await signingKey('old'), await signingKey('fresh')]
  const slow = Promise.withResolvers<void>()
  let published = [old.publicJwk]
  const call = async () => {
    const keys = published
    await slow.promise
    return { keys }
  }
  const keys = createPublicKeys({ call } as unknown as Client, () => 0)
  const reading = keys.refresh()
  published = [old.publicJwk, fresh.publicJwk]
  const found = keys.find('fresh')
  slow.resolve()
  await reading
  expect(await found).not.toBeNull()
})
