import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openService, refused, type TestTransactionManager } from './harness'

let service: TestTransactionManager
beforeEach(async () => {
  service = await openService()
})
afterEach(() => service.close())

const create = (name: string) => service.create('/sample-notes', { name })
const changes = async (after = 0) => {
  const path = `/internal/sample-notes/changes?after=${after}`
  return (await service.get(path, await service.asService('account'))).body
}

describe('transaction-manager.sample-note.created', () => {
  test('carries the sample note and its mark', async () => {
    const body = await create('first')
    const [event, ...others] = await service.events()
    expect(others).toEqual([])
    expect(event).toMatchObject({
      name: 'transaction-manager.sample-note.created',
      data: { sampleNote: body, epoch: expect.any(Number), version: 1 },
    })
  })

  test('has the sample note filed, once, however often it comes', async () => {
    const body = await create('first')
    const [event] = await service.events()
    if (!event) throw new Error('There is no event')
    await service.consume(event)
    expect((await service.get(`/sample-notes/${body.id}`)).body).toEqual({ ...body, status: 'filed' })
    const before = await changes()
    await service.consume(event)
    expect(await changes()).toEqual(before)
  })
})

describe('GET /internal/sample-notes/changes', () => {
  test('200 with each sample note once, in the order of its last change', async () => {
    const [first, second] = [await create('first'), await create('second')]
    const [event] = await service.events()
    if (event) await service.consume(event)
    const { items, more } = await changes()
    expect(more).toBe(false)
    expect(items.map(({ record }: { record: object }) => record)).toEqual([second, { ...first, status: 'filed' }])
    expect((await changes(items[0].version)).items).toEqual(items.slice(1))
  })

  test('401 for everybody but other services, 400 for an invalid version', async () => {
    const path = '/internal/sample-notes/changes'
    refused(await service.get(path), 401)
    refused(await service.get(path, await service.asParticipant('participant-1')), 401)
    refused(await service.get(`${path}?after=x`, await service.asService('account')), 400)
  })
})
