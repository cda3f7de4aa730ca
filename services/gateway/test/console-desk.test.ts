import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openConsole, type TestConsole } from './console-harness'

const transaction = '01a1fe8f-0000-7000-8000-0000000000d1'
const other = '01a1fe8f-0000-7000-8000-0000000000d2'

let opened: TestConsole
interface Person {
  id: string
  cookie: string
}
let anna: Person
let boris: Person
let vera: Person
let chief: string

beforeAll(async () => {
  opened = await openConsole()
  const hire = async (role: 'operator' | 'viewer'): Promise<Person> => {
    const user = await opened.member({ role })
    return { id: user.id, cookie: await opened.logIn(user) }
  }
  ;[anna, boris, vera] = [await hire('operator'), await hire('operator'), await hire('viewer')]
  chief = await opened.logIn()
})
afterAll(() => opened?.close())

const ask = (path: string, { cookie }: Pick<Person, 'cookie'>, sent: { method?: string; body?: unknown } = {}) =>
  opened.ask(path, { cookie, ...sent })

describe('/console/api/desk/preferences', () => {
  const put = (person: Person, body: unknown) => ask('/desk/preferences', person, { method: 'PUT', body })

  test('are a person’s own, and come with the session', async () => {
    expect((await ask('/session', anna)).body.preferences).toEqual({})
    expect((await put(anna, { density: 'comfortable', zone: 'local' })).status).toBe(200)
    expect((await put(anna, { density: 'comfortable', theme: 'dark' })).body).toEqual({
      density: 'comfortable',
      theme: 'dark',
    })
    expect((await ask('/desk/preferences', anna)).body).toEqual({ density: 'comfortable', theme: 'dark' })
    expect((await ask('/session', anna)).body.preferences).toEqual({ density: 'comfortable', theme: 'dark' })
    expect((await ask('/session', boris)).body.preferences).toEqual({})
  })

  test('400: words that there are not', async () => {
    await put(boris, { zone: 'local' })
    expect((await put(boris, { density: 'tiny' })).status).toBe(400)
    expect((await ask('/desk/preferences', boris)).body).toEqual({ zone: 'local' })
    await put(boris, {})
  })

  test('401 without a session', async () => {
    expect((await ask('/desk/preferences', { cookie: '' })).status).toBe(401)
  })
})

describe('/console/api/desk/views', () => {
  const page = '/console/transactions'
  const save = (person: Person, fields: object) =>
    ask('/desk/views', person, {
      body: { page, name: 'Large', query: 'status=FROZEN&from=7d', isShared: false, ...fields },
    })
  const names = async (person: Pick<Person, 'cookie'>) =>
    (await ask(`/desk/views?page=${page}`, person)).body.map(({ name }: { name: string }) => name)
  const remove = (id: string, person: Pick<Person, 'cookie'>) => ask(`/desk/views/${id}`, person, { method: 'DELETE' })

  test('are their owner’s, or everybody’s; their owner deletes them, and an administrator those of everybody', async () => {
    const own = await save(anna, { name: 'My frozen' })
    expect([own.status, own.body.query]).toEqual([201, 'status=FROZEN&from=7d'])
    const shared = await save(anna, { name: 'Ours', isShared: true })
    expect([await names(anna), await names(boris)]).toEqual([['My frozen', 'Ours'], ['Ours']])
    // Each list has its own.
    const ofScreenings = await save(anna, { name: 'Hits', page: '/console/sanctions', query: 'result=hit' })
    expect([ofScreenings.status, await names(anna)]).toEqual([201, ['My frozen', 'Ours']])
    expect((await ask('/desk/views?page=/console/sanctions', anna)).body).toMatchObject([{ name: 'Hits' }])
    expect((await remove(shared.body.id, boris)).status).toBe(404)
    expect((await remove(own.body.id, { cookie: chief })).status).toBe(404)
    expect((await remove(shared.body.id, { cookie: chief })).status).toBe(200)
    expect((await remove(own.body.id, anna)).status).toBe(200)
    expect(await names(anna)).toEqual([])
    expect((await remove(own.body.id, anna)).status).toBe(404)
  })

  test('400: no name, another page, what is no query, and too many', async () => {
    for (const wrong of [{ name: ' ' }, { page: '/console' }, { query: 'a b' }, { name: 'x'.repeat(41) }]) {
      expect([wrong, (await save(vera, wrong)).status]).toEqual([wrong, 400])
    }
    for (let i = 0; i < 50; i++) expect((await save(vera, { name: `View ${i}` })).status).toBe(201)
    const { status, text } = await save(vera, {})
    expect([status, text]).toEqual([400, expect.stringContaining('delete one first')])
  })
})

describe('/console/api/review', () => {
  const assign = (person: Person, userId: string | null, id = transaction) =>
    ask(`/review/${id}/assignee`, person, { method: 'PUT', body: { userId } })
  const assigned = async (...ids: string[]) =>
    (await ask(`/review/assignments?ids=${ids.join(',')}`, vera)).body as {
      transactionId: string
      userId: string
      assignedBy: string
    }[]

  test('a transaction is one person’s at a time, and nobody’s again', async () => {
    expect((await assign(anna, boris.id)).status).toBe(200)
    await assign(anna, anna.id, other)
    expect(await assigned(transaction, other)).toMatchObject([
      { transactionId: transaction, userId: boris.id, assignedBy: anna.id },
      { transactionId: other, userId: anna.id },
    ])
    await assign(boris, anna.id)
    expect(await assigned(transaction)).toMatchObject([{ userId: anna.id, assignedBy: boris.id }])
    await assign(boris, null)
    expect(await assigned(transaction)).toEqual([])
  })

  test('those at work who may decide can be chosen', async () => {
    const { body } = await ask('/review/colleagues', vera)
    const ids = body.map(({ id }: { id: string }) => id)
    expect(ids).toContain(anna.id)
    expect(ids).toContain(boris.id)
    expect(ids).not.toContain(vera.id)
  })

  test('colleagues read each other’s comments, the oldest first', async () => {
    const say = (person: Person, text: string) => ask(`/review/${transaction}/comments`, person, { body: { text } })
    expect((await say(anna, 'Asked for the invoice')).status).toBe(201)
    expect((await say(boris, 'It came,\nand is good')).status).toBe(201)
    expect((await ask(`/review/${transaction}/comments`, vera)).body).toMatchObject([
      { authorId: anna.id, text: 'Asked for the invoice' },
      { authorId: boris.id, text: 'It came,\nand is good' },
    ])
    expect((await ask(`/review/${other}/comments`, vera)).body).toEqual([])
    for (const wrong of [' \n', '', 'x'.repeat(2001)]) expect((await say(anna, wrong)).status).toBe(400)
  })

  test('a viewer reads, and neither assigns nor comments; the trail has who tried', async () => {
    const own = '01a1fe8f-0000-7000-8000-0000000000d3'
    await assign(anna, anna.id, own)
    expect((await assign(vera, vera.id, own)).status).toBe(403)
    expect((await ask(`/review/${own}/comments`, vera, { body: { text: 'Hm' } })).status).toBe(403)
    const { body } = await ask(`/audit?object=${own}`, { cookie: chief })
    expect(body).toMatchObject([
      { actor: vera.id, action: 'POST /console/api/review/:id/comments', status: 403 },
      { actor: vera.id, action: 'PUT /console/api/review/:id/assignee', status: 403 },
      { actor: anna.id, action: 'PUT /console/api/review/:id/assignee', status: 200 },
    ])
    expect(await assigned(own)).toMatchObject([{ userId: anna.id }])
  })

  test('400: what is no id', async () => {
    expect((await ask('/review/assignments?ids=x', anna)).status).toBe(400)
    expect((await ask('/review/x/comments', anna)).status).toBe(400)
  })
})
