import { describe, expect, test } from 'bun:test'
import { tempDir, until } from '@bursar/testing'
import { screeningKey } from '../src/addresses/screening-key'
import { createCurrentList, loadList } from '../src/lists/current-list'
import { hashOf } from '../src/lists/hash-filter'
import { addEntries, createDraft, makeCurrent } from '../src/lists/lists'
import { askList } from '../src/sources/ask-list'
import { retireLists } from '../src/upkeep/retire-lists'
import { ensureList } from '../src/upkeep/shipped-list'
import { bringList, clean, entry, listed, refused, type TestSanctions, testSanctions } from './harness'

const isSanctioned = async (service: TestSanctions, address: string): Promise<boolean> =>
  (await service.post('/sanctions/verify-address/sync', { address, blockchain: 'ethereum' })).body.sanctioned
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const origin = { name: 'OFAC SDN', source: 'sdn.xml', publishedAt: '2024-10-15T00:00:00.000Z' }

describe('/internal/lists', () => {
  test('a new list is used from its activation on, and results name its entries', async () => {
    const service = await testSanctions()
    const headers = await service.asService('sanctions')
    const draft = await service.post('/internal/lists', origin, headers)
    expect([draft.status, draft.body.status, draft.body.entries]).toEqual([201, 'draft', 0])
    const { id } = draft.body
    const part = { first: 0, entries: [entry(clean.eth, '4711'), entry(clean.eth, '4712')] }
    expect((await service.post(`/internal/lists/${id}/entries`, part, headers)).body.entries).toBe(2)
    // A repeat adds nothing.
    expect((await service.post(`/internal/lists/${id}/entries`, part, headers)).body.entries).toBe(2)
    expect(await isSanctioned(service, clean.eth)).toBe(false)
    const activation = { checksum: 'ab'.repeat(32), entries: 2, force: true }
    const answer = await service.post(`/internal/lists/${id}/activate`, activation, headers)
    expect([answer.status, answer.body.status]).toEqual([200, 'current'])
    const { body } = await service.post('/sanctions/verify-address/sync', { address: clean.eth, blockchain: 'x' })
    expect(body.sources[0]).toEqual({
      provider: 'ofac-sdn',
      match: true,
      details: {
        list: 'OFAC SDN',
        version: '2024-10-15',
        checksum: `sha256:${'ab'.repeat(32)}`,
        ageDays: 0,
        matches: ['4711', '4712'].map((entryId) => ({ entryId, asset: 'ETH', address: clean.eth, name: 'SOMEONE' })),
      },
    })
    expect(await isSanctioned(service, listed.eth)).toBe(false)
    expect((await service.get('/internal/lists/current', headers)).body).toMatchObject({ id, entries: 2 })
    await service.close()
  })

  test('401 for callers that are not services', async () => {
    const service = await testSanctions()
    expect(refused(await service.get('/internal/lists/current'), 401)).toHaveLength(1)
    expect(refused(await service.post('/internal/lists', origin), 401)).toHaveLength(1)
    const part = { first: 0, entries: [entry(clean.eth)] }
    expect(refused(await service.post('/internal/lists/1/entries', part), 401)).toHaveLength(1)
    const activation = { checksum: 'ab'.repeat(32), entries: 1 }
    expect(refused(await service.post('/internal/lists/1/activate', activation), 401)).toHaveLength(1)
    await service.close()
  })

  test('a list that is incomplete, older, much shorter, or not a draft, is not activated', async () => {
    const service = await testSanctions()
    const headers = await service.asService('sanctions')
    const draft = async (fields = {}) =>
      (await service.post('/internal/lists', { ...origin, ...fields }, headers)).body.id
    const add = (id: number, first: number, count: number) => {
      const entries = Array.from({ length: count }, (_, i) => entry(address(first + i)))
      return service.post(`/internal/lists/${id}/entries`, { first, entries }, headers)
    }
    const activate = (id: number, entries: number, force = false) =>
      service.post(`/internal/lists/${id}/activate`, { checksum: 'ab'.repeat(32), entries, force }, headers)

    const id = await draft()
    await add(id, 0, 10)
    expect(refused(await add(id, 11, 1), 400)).toEqual(['The list has 10 entries so far'])
    expect(refused(await activate(id, 11), 400)).toEqual(['The list has 10 entries, not 11'])
    expect(refused(await activate(id, 10), 409)).toEqual(['The list has 10 entries, the one in use 654'])
    const old = await draft({ publishedAt: '2024-01-01T00:00:00Z' })
    for (const first of [0, 200, 400]) await add(old, first, 200)
    expect(refused(await activate(old, 600), 409)).toEqual(['The list is of 2024-01-01, the one in use of 2024-09-27'])
    expect(await isSanctioned(service, listed.eth)).toBe(true)
    expect((await activate(old, 600, true)).status).toBe(200)
    expect(refused(await activate(old, 600, true), 409)).toEqual(['The list is not a draft any more'])
    const ahead = await draft({ publishedAt: '9999-12-31T00:00:00Z' })
    for (const first of [0, 200]) await add(ahead, first, 200)
    expect(refused(await activate(ahead, 400), 409)).toEqual(['The list is of 9999-12-31, and today is 2024-09-30'])
    expect(refused(await activate(id, 10, true), 409)).toEqual(['Another list was activated meanwhile; start again'])
    expect(refused(await activate(99, 1), 404)).toEqual(['List not found'])
    expect(refused(await service.post('/internal/lists/x/activate', {}, headers), 400)).not.toHaveLength(0)
    await service.close()
  })
})

describe('the look-up', () => {
  test('tells addresses of the same hash apart', async () => {
    const pair = ['0x08c680944c0f0319c3c64caf3ebea3fa5abf9f5d', '0x78b9dc9d01041455b8d6ab3bc993ec7abd8dbeb5'] as const
    expect(hashOf(pair[0])).toBe(hashOf(pair[1]))
    const service = await testSanctions()
    await bringList(service, [entry(pair[0])])
    expect(await isSanctioned(service, pair[0])).toBe(true)
    expect(await isSanctioned(service, pair[1])).toBe(false)
    await service.close()
  })

  test('ignores drafts', async () => {
    const service = await testSanctions()
    await bringList(service, [entry(clean.eth, '1')])
    const headers = await service.asService('sanctions')
    const { id } = (await service.post('/internal/lists', origin, headers)).body
    await service.post(`/internal/lists/${id}/entries`, { first: 0, entries: [entry(clean.eth, '2')] }, headers)
    const { body } = await service.post('/sanctions/verify-address/sync', { address: clean.eth, blockchain: 'x' })
    expect(body.sources[0].details.matches).toMatchObject([{ entryId: '1' }])
    await service.close()
  })
})

describe('a swap under load', () => {
  test('no screening fails, and addresses on both lists are sanctioned throughout', async () => {
    const service = await testSanctions()
    const both = listed.eth
    let running = true
    let asked = 0
    const verdicts: boolean[] = []
    const load = Array.from({ length: 8 }, async (_, lane) => {
      for (let i = 0; running; i++) {
        verdicts.push(await isSanctioned(service, both))
        // Many other addresses, each in its own commit.
        expect(await isSanctioned(service, address(1_000_000 + lane * 100_000 + i))).toBe(false)
        asked += 1
      }
    })
    for (let swap = 0; swap < 4; swap++) {
      const others = Array.from({ length: 3000 }, (_, i) => entry(address(swap * 10_000 + i)))
      await bringList(service, [entry(both), ...others])
      await retireLists(service.deps)
      expect(await isSanctioned(service, address(swap * 10_000 + 1500))).toBe(true)
      await until(() => asked > 13 * (swap + 1))
    }
    running = false
    await Promise.all(load)
    expect(asked).toBeGreaterThan(50)
    expect(verdicts).not.toContain(false)
    await service.close()
  })
})

describe('another instance on the same database', () => {
  test('screens with a list from the commit that activates it, though nobody tells it', async () => {
    const service = await testSanctions()
    const { now } = service.deps
    // As on a server: others write as well, so nothing that was read stays true.
    let version = 0
    const store = { ...service.store, versionOf: () => version++ }
    const list = createCurrentList()
    await list.refresh(store)
    const ask = async (address: string) => {
      const key = screeningKey(address)
      return (await askList({ store, list, now }, [{ key }])).sources.get(key)?.match
    }
    expect([await ask(listed.eth), await ask(clean.eth)]).toEqual([true, false])
    await bringList(service, [entry(clean.eth)])
    expect([await ask(listed.eth), await ask(clean.eth)]).toEqual([false, true])
    await service.close()
  })

  test('repeats a look-up whose list was replaced, and emptied, meanwhile', async () => {
    const service = await testSanctions()
    const { now } = service.deps
    let version = 0
    const store = { ...service.store, versionOf: () => version++ }
    const list = createCurrentList()
    const before = await list.refresh(store)
    await bringList(service, [entry(listed.eth)])
    await retireLists(service.deps)
    // It had asked which list is in use before that.
    let asked = 0
    const late = { get: list.get, refresh: async () => (asked++ === 0 ? before : await list.refresh(store)) }
    const key = screeningKey(listed.eth)
    const { sources, listId } = await askList({ store, list: late, now }, [{ key }])
    expect(sources.get(key)?.match).toBe(true)
    expect(listId).toBeGreaterThan(before.row.id)
    await service.close()
  })
})

describe('the current list', () => {
  test('is the newer one when an older one is loaded for longer', async () => {
    const service = await testSanctions()
    let version = 0
    const store = { ...service.store, versionOf: () => version++ }
    const older = await bringList(service, [entry(clean.eth)])
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const list = createCurrentList(async (store, row) => {
      begun.resolve()
      if (row.id === older) await gate.promise
      return await loadList(store, row)
    })
    const slow = list.refresh(store)
    await begun.promise
    const newer = await bringList(service, [entry(clean.btc)])
    expect((await list.refresh(store)).row.id).toBe(newer)
    gate.resolve()
    expect((await slow).row.id).toBe(newer)
    expect((await list.refresh(store)).row.id).toBe(newer)
    await service.close()
  })

  test('that another instance activated counts in health and figures before anybody screens here', async () => {
    const service = await testSanctions()
    service.clock.advance(8 * 24 * 60 * 60 * 1000)
    expect((await service.get('/health')).body.warnings).toHaveLength(1)
    await service.store.commit(async (tx) => {
      const { id } = await createDraft(tx, { ...origin, publishedAt: '2024-10-08T00:00:00.000Z' }, service.clock())
      await addEntries(tx, id, 0, [entry(clean.eth)])
      await makeCurrent(tx, id, { checksum: 'ab'.repeat(32), entries: 1, force: true }, service.clock())
    })
    const age = async () => /^bursar_sanctions_list_age_days\S* (\d+)$/m.exec((await service.get('/metrics')).body)?.[1]
    expect(await age()).toBe('0')
    await service.store.commit(async (tx) => {
      const { id } = await createDraft(tx, { ...origin, publishedAt: '2024-09-29T00:00:00.000Z' }, service.clock())
      await addEntries(tx, id, 0, [entry(clean.btc)])
      await makeCurrent(tx, id, { checksum: 'ab'.repeat(32), entries: 1, force: true }, service.clock())
    })
    expect((await service.get('/health')).body.warnings).toEqual([expect.stringContaining('9 days old')])
    await service.close()
  })
})

describe('a restart', () => {
  test('continues with the current list', async () => {
    const dataDir = tempDir()
    const before = await testSanctions({ dataDir })
    await bringList(before, [entry(clean.eth), entry(clean.btc)])
    await before.close()
    const after = await testSanctions({ dataDir })
    const found = await Promise.all([clean.eth, clean.btc, listed.eth].map((each) => isSanctioned(after, each)))
    expect(found).toEqual([true, true, false])
    await after.close()
  })
})

describe('old lists', () => {
  test('lose their entries once another is in use, drafts after a day', async () => {
    const service = await testSanctions()
    const headers = await service.asService('sanctions')
    const { id } = (await service.post('/internal/lists', origin, headers)).body
    await service.post(`/internal/lists/${id}/entries`, { first: 0, entries: [entry(clean.eth)] }, headers)
    await retireLists(service.deps)
    const add = () => service.post(`/internal/lists/${id}/entries`, { first: 1, entries: [entry(listed.eth)] }, headers)
    expect((await add()).status).toBe(200)
    service.clock.advance(25 * 60 * 60 * 1000)
    await retireLists(service.deps)
    expect((await add()).status).toBe(409)
    expect(await isSanctioned(service, listed.btc)).toBe(true)
    await service.close()
  })
})

test('the list that comes with the service replaces no newer one that is activated while it is read', async () => {
  const service = await testSanctions()
  const { store, now } = service.deps
  await bringList(service, [entry(clean.eth)], { publishedAt: '2020-01-01T00:00:00.000Z' })
  let newer: number | null = null
  const commit: typeof store.commit = async (...given) => {
    newer ??= await bringList(service, [entry(clean.btc)])
    return await store.commit(...given)
  }
  await ensureList({ ...store, commit }, now())
  const headers = await service.asService('sanctions')
  expect(newer).not.toBeNull()
  expect((await service.get('/internal/lists/current', headers)).body.id).toBe(newer)
  await service.close()
})
