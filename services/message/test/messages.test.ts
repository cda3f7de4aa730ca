import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Message } from '@bursar/contracts/message'
import { t } from '@bursar/contracts/schema'
import { type DeliveryRequest, DeliveryRequested } from '@bursar/contracts/webhook'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { fieldProblems } from '@bursar/http'
import type { TestService } from '@bursar/testing/service'
import { refused, testMessages } from './harness'

let service: TestService
beforeAll(async () => {
  service = await testMessages()
})
afterAll(() => service.close())

const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
const message = (fields: object = {}) => ({ type: 'JSON', data: { a: 1 }, participantId, ...fields })
const create = async (fields: object = {}) => {
  const answer = await service.post('/messages', message(fields))
  expect(answer.status).toBe(201)
  return answer.body
}
const nobody = '018f2f3e-0000-7000-8000-00000000dead'

describe('POST /messages', () => {
  test.each<[string, object]>([
    ['JSON', { deep: { list: [1, 'x', null] } }],
    ['JSON', {}],
    ['TEXT', { text: 'Two\nlines' }],
    ['RFI', { subject: 'Source of funds', questions: ['Where from?', 'Since when?'] }],
    ['ISO20022', { messageType: 'admi.004', document: { SysEvtNtfctn: {} } }],
  ])('201 with the message, %s', async (type, data) => {
    const { status, body } = await service.post('/messages', message({ type, data, extra: 1 }))
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, type, data, participantId, sender: null, createdAt: body.createdAt })
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(body.createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  })

  test('201: the recipient’s id is taken in any case', async () => {
    const to = '018f2f3e-0000-7000-8000-0000000000cc'
    const { id, participantId } = await create({ participantId: to.toUpperCase() })
    expect(participantId).toBe(to)
    for (const asked of [to, to.toUpperCase()]) {
      expect((await service.get(`/messages?participantId=${asked}`)).body).toMatchObject([{ id }])
    }
    expect((await create({ participantId: 'Bank-1' })).participantId).toBe('Bank-1')
  })

  test('names the author whatever the body says, also when read and when delivered', async () => {
    const id = '018f2f3e-0000-7000-8000-0000000000bb'
    const senders: { caller: Record<string, string>; sender: Message['sender'] }[] = [
      { caller: await service.asParticipant(id), sender: { kind: 'participant', id, participantId: id } },
      {
        caller: await service.as({ kind: 'user', subject: 'user-1', participantId: null, roles: ['operator'] }),
        sender: { kind: 'user', id: 'user-1', participantId: null },
      },
      {
        caller: await service.asService('main-api'),
        sender: { kind: 'service', id: 'main-api', participantId: null },
      },
      { caller: {}, sender: null },
    ]
    for (const { caller, sender } of senders) {
      const { body } = await service.post('/messages', message({ sender: { kind: 'user', id: 'forged' } }), caller)
      expect(body.sender).toEqual(sender)
      expect((await service.get(`/messages/${body.id}`)).body.sender).toEqual(sender)
    }
    const delivered = (await service.events()).filter(({ name }) => name === DeliveryRequested.name)
    const payloads = delivered.map(({ data }) => (data as DeliveryRequest).payload)
    const created = webhookEvents.find(({ type }) => type === 'message.created')
    for (const payload of payloads) expect(fieldProblems(created?.body ?? t.Never(), payload)).toEqual([])
    expect(payloads.slice(-4).map(({ data }) => (data as Message).sender)).toEqual(senders.map(({ sender }) => sender))
  })

  test('requests the delivery to the recipient in the same commit', async () => {
    const body = await create({ data: { note: 'delivered' } })
    const requests = (await service.events()).filter(({ name }) => name === DeliveryRequested.name)
    const request = requests.find(({ data }) => (data as { requestId: string }).requestId === body.id)
    expect(request?.data).toEqual({
      v: 1,
      requestId: body.id,
      eventType: 'message.created',
      participantId,
      fallbackUrl: null,
      headers: null,
      payload: { type: 'message.created', timestamp: body.createdAt, data: body },
    })
  })

  test('400 names every field that is missing or wrong', async () => {
    expect(refused(await service.post('/messages', {}), 400)).toEqual([
      'type must be one of the following values: JSON, TEXT, ISO20022, RFI',
      'data must be an object',
      'participantId should not be empty',
    ])
    const wrong = { type: 'json', data: [], participantId: '' }
    expect(refused(await service.post('/messages', wrong), 400)).toHaveLength(3)
  })

  test.each<[string, object, string[]]>([
    ['TEXT', {}, ['data.text should not be empty']],
    ['TEXT', { text: 5 }, ['data.text must be a string']],
    ['TEXT', { text: '' }, ['data.text should not be empty']],
    ['RFI', {}, ['data.subject should not be empty', 'data.questions must be an array']],
    ['RFI', { subject: 's', questions: [] }, ['data.questions must have 1 to 100 items']],
    ['RFI', { subject: 's', questions: ['a', 5] }, ['data.questions.1 must be a string']],
    ['ISO20022', { messageType: 'pacs.008' }, ['data.xml or document must be given, and not both']],
    [
      'ISO20022',
      { messageType: 'pacs8', xml: '<a/>' },
      ['data.messageType must be the name of an ISO 20022 message, such as pacs.008 or pacs.008.001.08'],
    ],
  ])('400 when the data does not fit the type: %s %j', async (type, data, problems) => {
    expect(refused(await service.post('/messages', message({ type, data })), 400)).toEqual(problems)
  })

  test.each(['1e400', '[{"a":-1e400}]', '9'.repeat(400)])(
    '400 for a number that would be stored as null (%#)',
    async (number) => {
      const answer = await service.post('/messages', `{"type":"JSON","data":{"n":${number}},"participantId":"bank-1"}`)
      expect(refused(answer, 400)).toEqual(['data must hold no number beyond 1.8e308'])
    },
  )

  test('a refused message is neither stored nor delivered', async () => {
    const before = (await service.events()).length
    await service.post('/messages', message({ type: 'TEXT', data: { refused: true } }))
    expect((await service.events()).length).toBe(before)
    expect(JSON.stringify((await service.get('/messages')).body)).not.toContain('refused')
  })

  test('a repeated idempotency key gives the same message', async () => {
    const headers = { 'idempotency-key': 'm-1' }
    const first = await service.post('/messages', message(), headers)
    const again = await service.post('/messages', message(), headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await service.post('/messages', message({ data: { b: 2 } }), headers)).status).toBe(422)
  })
})

describe('GET /messages', () => {
  test('all messages, oldest first; with `type`, only that type', async () => {
    const fresh = await testMessages()
    const ids: string[] = []
    for (let i = 0; i < 250; i++) {
      const type = i % 2 ? 'JSON' : 'TEXT'
      const data = i % 2 ? { i } : { text: String(i) }
      ids.push((await fresh.post('/messages', message({ type, data }))).body.id)
    }
    const list = async (query = '') =>
      ((await fresh.get(`/messages${query}`)).body as { id: string }[]).map(({ id }) => id)
    expect(await list()).toEqual(ids)
    expect(await list('?type=TEXT')).toEqual(ids.filter((_, i) => i % 2 === 0))
    expect(await list('?type=RFI')).toEqual([])
    expect(await list('?limit=3&offset=120')).toEqual(ids.slice(120, 123))
    expect(await list('?limit=0')).toEqual([])
    await fresh.close()
  })

  test('by participant and text, page by page', async () => {
    const fresh = await testMessages()
    const ids: string[] = []
    const other = '018f2f3e-0000-7000-8000-0000000000bb'
    const texts = ['Invoice 1', 'invoice 2', '100 %', 'Grüße "an" alle', 'a\\b_c', 'invoice 3']
    for (const [i, text] of texts.entries()) {
      const fields = { type: 'TEXT', data: { text }, participantId: i % 2 ? other : participantId }
      ids.push((await fresh.post('/messages', message(fields))).body.id)
    }
    const answer = async (query: Record<string, string>) => await fresh.get(`/messages?${new URLSearchParams(query)}`)
    const list = async (query: Record<string, string>) =>
      ((await answer(query)).body as { id: string }[]).map(({ id }) => ids.indexOf(id))
    expect(await list({ participantId })).toEqual([0, 2, 4])
    expect(await list({ participantId, type: 'JSON' })).toEqual([])
    expect(await list({ participantId: other, type: 'TEXT', order: 'desc' })).toEqual([5, 3, 1])
    for (const [q, expected] of [
      ['INVOICE', [0, 1, 5]],
      ['%', [2]],
      ['_', [4]],
      ['a\\b', [4]],
      ['"an"', [3]],
      ['Grüße', [3]],
      ['nothing', []],
    ] as const) {
      expect(await list({ q })).toEqual([...expected])
      expect((await answer({ q, count: 'true' })).headers.get('x-total-count')).toBe(String(expected.length))
    }
    expect(await list({ q: 'invoice', participantId: other, order: 'desc' })).toEqual([5, 1])
    expect(await list({ after: ids[3] ?? '' })).toEqual([4, 5])
    expect(await list({ after: ids[3] ?? '', order: 'desc', limit: '2' })).toEqual([2, 1])
    expect((await answer({})).headers.get('x-total-count')).toBeNull()
    const search = async (q: string, more = '') =>
      (await fresh.get(`/internal/search?q=${q}${more}`, await fresh.asService('gateway'))).body
    expect(await search(ids[0]?.toUpperCase() ?? '')).toEqual([
      {
        kind: 'message',
        id: ids[0],
        title: 'Message of type TEXT',
        detail: `For participant ${participantId}`,
        status: null,
        at: expect.any(String),
      },
    ])
    expect(await search('Invoice')).toEqual([])
    expect(await search(ids[0] ?? '', `&participantId=${other}`)).toEqual([])
    expect(await search(ids[1] ?? '', `&participantId=${other}`)).toHaveLength(1)
    await fresh.close()
  })

  test('400 for an unknown type and for an invalid page', async () => {
    expect(refused(await service.get('/messages?type=MAIL'), 400)).toEqual([
      'type must be one of the following values: JSON, TEXT, ISO20022, RFI',
    ])
    expect(refused(await service.get('/messages?limit=-1&offset=x'), 400)).toHaveLength(2)
    expect(refused(await service.get('/messages?order=up&after=x&count=2&participantId='), 400)).toHaveLength(4)
  })
})

describe('GET /messages/:id', () => {
  test('200, with the id in upper or lower case', async () => {
    const body = await create()
    expect((await service.get(`/messages/${body.id}`)).body).toEqual(body)
    expect((await service.get(`/messages/${body.id.toUpperCase()}`)).body).toEqual(body)
  })

  test.each([nobody, 'abc', '%20'])('404 for %s', async (id) => {
    expect(refused(await service.get(`/messages/${id}`), 404)).toEqual(['Message not found'])
  })
})

test('GET /health', async () => {
  expect((await service.get('/health')).body).toMatchObject({ status: 'ok', service: 'message' })
  const closed = await testMessages()
  await closed.close()
  const answer = await closed.get('/health')
  expect([answer.status, answer.body.status]).toEqual([503, 'error'])
})
