import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, roleIds, type TestIdentityManager } from './harness'

const [bank, other] = ['01a1fe8f-0000-7000-8000-0000000000b1', '01a1fe8f-0000-7000-8000-0000000000b2']
const ids = new Map<string, string>()

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
  const people = [
    { name: 'Ádám Nagy', email: 'adam@one.example', participantId: bank },
    { name: 'Ádám Kiss', email: 'Kiss@two.example', participantId: other },
    { name: 'Zoe 100% Real', email: 'zoe@one.example' },
  ]
  for (const { participantId, ...person } of people) {
    const roleId = roleIds[participantId ? 'participant-user' : 'viewer']
    const { id } = await service.create('/users', { ...person, roleId, ...(participantId ? { participantId } : {}) })
    ids.set(person.name, id)
  }
  await service.del(
    `/users/${(await service.create('/users', { name: 'Gone', email: 'gone@x.example', roleId: roleIds.viewer })).id}`,
  )
})
afterAll(() => service?.close())

async function titles(q: string, participantId?: string): Promise<string[]> {
  const query = new URLSearchParams({ q, ...(participantId ? { participantId } : {}) })
  const path = `http://localhost/internal/search?${query}`
  const response = await service.fetch(new Request(path, { headers: await service.asService('gateway') }))
  expect(response.status).toBe(200)
  return ((await response.json()) as { title: string }[]).map(({ title }) => title)
}

describe('GET /internal/search', () => {
  test.each([
    ['adam@', ['Ádám Nagy']],
    ['KISS@TWO.EXAMPLE', ['Ádám Kiss']],
    ['ÁDÁM', ['Ádám Kiss', 'Ádám Nagy']],
    ['zoe 100%', ['Zoe 100% Real']],
    ['%', []],
    ['nagy', []],
    ['gone', []],
    [nobody, []],
  ])('%s finds %p', async (q, expected) => expect(await titles(q)).toEqual(expected))

  test('an id, case-insensitively', async () => {
    expect(await titles((ids.get('Ádám Nagy') ?? '').toUpperCase())).toEqual(['Ádám Nagy'])
  })

  test('for a participant, only its own', async () => {
    expect(await titles('ádám', bank)).toEqual(['Ádám Nagy'])
    expect(await titles(ids.get('Ádám Kiss') ?? '', bank)).toEqual([])
  })

  test('401 for callers that are not services', async () => {
    const asked = (headers: Record<string, string>) =>
      service.fetch(new Request('http://localhost/internal/search?q=a', { headers }))
    expect((await asked({})).status).toBe(401)
    expect((await asked(await service.asUser({ id: nobody, roles: ['admin'] }))).status).toBe(401)
  })
})
