import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { listedNames, listedNameWords } from '../src/names/names.table'
import { retireLists } from '../src/upkeep/retire-lists'
import { bringList, clean, entry, refused, type TestSanctions, testSanctions } from './harness'

const named = (...names: string[]) => names.map((name, i) => ({ entryId: String(100 + i), name }))
let service: TestSanctions
let headers: Record<string, string>
beforeAll(async () => {
  service = await withNames()
  headers = await service.asService('main-api')
})
afterAll(() => service.close())

/** A service whose list has a few names. */
async function withNames(): Promise<TestSanctions> {
  const made = await testSanctions()
  const names = named(
    'Jong Un KIM',
    'Vladimir Vladimirovich PUTIN',
    'Bashar AL-ASSAD',
    'HAMAS',
    'Mohammad ALI',
    'Mohammad ALI HASSAN',
    'Ali MOHAMMAD',
  )
  await bringList(made, [entry(clean.eth)], { names })
  return made
}

const screen = async (name: string, of = service) => (await of.post('/internal/names/screen', { name }, headers)).body
const matches = async (name: string, of = service) =>
  (await screen(name, of)).matches.map(({ name, isSame }: { name: string; isSame: boolean }) =>
    isSame ? `= ${name}` : `~ ${name}`,
  )

describe('POST /internal/names/screen', () => {
  test('200 with the list, its number of names, and the matches', async () => {
    expect(await screen('Kim Jong-Un')).toEqual({
      list: { name: 'OFAC SDN', publishedAt: '2024-10-15T00:00:00.000Z' },
      listed: 7,
      matches: [{ entryId: '100', name: 'Jong Un KIM', isSame: true }],
    })
  })

  test.each([
    ['KIM JONG UN', ['= Jong Un KIM']],
    ['Vladimir Putin', ['~ Vladimir Vladimirovich PUTIN']],
    ['Putin', []],
    ['Vladimir Smith', []],
    ['Bashar Hafez al-Assad', ['~ Bashar AL-ASSAD']],
    ['Bashar al Assad', ['= Bashar AL-ASSAD']],
    ['Hamas', ['= HAMAS']],
    ['Hamas Smith', []],
    ['Mohammad Ali', ['= Mohammad ALI', '= Ali MOHAMMAD', '~ Mohammad ALI HASSAN']],
    ['Ali', []],
    ['Ada Lovett', []],
    ['.', []],
    ['Vla\u200bdimir Put\u00adin', ['~ Vladimir Vladimirovich PUTIN']],
    ['Kim Jong Un Владимир', ['~ Jong Un KIM']],
    ["x'; drop table lists --", []],
    ['%', []],
  ])('%s', async (name, expected) => {
    expect(await matches(name)).toEqual(expected)
  })

  test('a name that no name of the list can be compared with is screened against none', async () => {
    const listed = async (name: string) => (await screen(name)).listed
    expect(await listed('Владимир Путин')).toBe(0)
    expect(await listed('Vladimir Рutin')).toBe(0)
    expect(await listed('\u3164')).toBe(0)
    expect(await listed('Kim Jong Un Владимир')).toBe(7)
    expect(await listed('Ada Lovett')).toBe(7)
  })

  test('a name of a hundred words is looked up completely', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ')
    expect(await matches(`${many} vladimir vladimirovich putin`)).toEqual(['~ Vladimir Vladimirovich PUTIN'])
  })

  test('at most twenty, exact matches first', async () => {
    const crowd = await testSanctions()
    const similar = Array.from({ length: 30 }, (_, i) => `Jose GARCIA n${i}`)
    await bringList(crowd, [entry(clean.eth)], { names: named(...similar, 'Garcia JOSE') })
    const found = (await screen('José García', crowd)).matches
    expect(found).toHaveLength(20)
    expect(found.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['Garcia JOSE', 'Jose GARCIA n0'])
    await crowd.close()
  })

  test('400 for a missing or too long name; 401 for callers that are not services', async () => {
    for (const name of ['', 'x'.repeat(251), 5, undefined, 'a\nb']) {
      expect((await service.post('/internal/names/screen', { name }, headers)).status).toBe(400)
    }
    expect(refused(await service.post('/internal/names/screen', { name: 'x' }), 401)).toHaveLength(1)
    expect(refused(await service.post('/internal/lists/1/names', { first: 0, names: named('x') }), 401)).toHaveLength(1)
  })
})

test('names that go while they are compared are compared with those of the list in use', async () => {
  const made = await withNames()
  const { list } = made.deps
  const refresh = list.refresh.bind(list)
  let asked = 0
  const replaced = spyOn(list, 'refresh').mockImplementation(async (store) => {
    const found = await refresh(store)
    asked += 1
    if (asked > 1) return found
    await bringList(made, [entry(clean.eth)], { names: named('Jong Un KIM', 'Another ONE') })
    await retireLists(made.deps)
    return found
  })
  expect(await screen('Jong Un Kim', made)).toMatchObject({ listed: 2, matches: [{ name: 'Jong Un KIM' }] })
  replaced.mockRestore()
  await made.close()
})

describe('the names of a list', () => {
  let own: TestSanctions
  beforeEach(async () => {
    own = await withNames()
  })
  afterEach(() => own.close())
  const origin = { name: 'OFAC SDN', source: 'sdn.xml', publishedAt: '2024-10-16T00:00:00.000Z' }
  const draft = async () => (await own.post('/internal/lists', origin, headers)).body.id
  const add = (id: number, first: number, ...names: string[]) =>
    own.post(`/internal/lists/${id}/names`, { first, names: named(...names) }, headers)
  const activate = async (id: number, fields: object) => {
    await own.post(`/internal/lists/${id}/entries`, { first: 0, entries: [entry(clean.eth)] }, headers)
    const activation = { checksum: 'ab'.repeat(32), entries: 1, ...fields }
    return await own.post(`/internal/lists/${id}/activate`, activation, headers)
  }

  test('are not used before it is activated; a repeat adds nothing; a list without all of them is refused', async () => {
    const id = await draft()
    expect((await add(id, 0, 'Ada LOVETT', 'B C')).body.names).toBe(2)
    expect((await add(id, 0, 'Ada LOVETT', 'B C')).body.names).toBe(2)
    expect(refused(await add(id, 3, 'D E'), 400)).toEqual(['The list has 2 names so far'])
    expect(await matches('Ada Lovett', own)).toEqual([])
    expect(refused(await activate(id, { names: 3 }), 400)).toEqual(['The list has 2 names, not 3'])
    expect(refused(await activate(id, {}), 400)).toEqual(['The list has 2 names, not 0'])
    expect(refused(await activate(id, { names: 2 }), 409)).toEqual(['The list has 2 names, the one in use 7'])
    expect((await activate(id, { names: 2, force: true })).body).toMatchObject({ status: 'current', names: 2 })
    expect(await matches('Ada Lovett', own)).toEqual(['= Ada LOVETT'])
    expect(await matches('Kim Jong Un', own)).toEqual([])
    expect(refused(await add(id, 2, 'D E'), 409)).toEqual(['The list is not a draft any more'])
  })

  test('go with a list that is not used any more', async () => {
    const id = await draft()
    await add(id, 0, 'Ada LOVETT', 'Ben LOVETT')
    await activate(id, { names: 2, force: true })
    await retireLists(own.deps)
    expect(await matches('Ben Lovett', own)).toEqual(['= Ben LOVETT'])
    const again = await draft()
    await add(again, 0, 'Ada LOVETT')
    await activate(again, { names: 1, force: true })
    await retireLists(own.deps)
    expect(await matches('Ben Lovett', own)).toEqual([])
    expect((await screen('x y', own)).listed).toBe(1)
    const left = await own.store.read.select().from(listedNames)
    expect(left.map(({ name }) => name)).toEqual(['Ada LOVETT'])
    expect(await own.store.read.$count(listedNameWords)).toBe(2)
  })
})

describe('the list that comes with the service', () => {
  test('has an excerpt of the names, after a restart too', async () => {
    const dataDir = tempDir()
    for (let start = 0; start < 2; start++) {
      const shipped = await testSanctions({ dataDir })
      const { list, listed, matches } = await screen('Kim Jong Un', shipped)
      expect([list.publishedAt, listed > 50, matches.length]).toEqual(['2024-09-27T00:00:00.000Z', true, 1])
      const { body } = await shipped.get('/internal/lists/current', headers)
      expect(body.id).toBe(1)
      await shipped.close()
    }
  })
})
