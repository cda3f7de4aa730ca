import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, refused, type TestGateway } from './harness'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const withKey = { 'x-api-key': 'sk_test_uploads' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
  gateway.main.issue(withKey['x-api-key'], { participantId: bank })
})
afterEach(() => void setSystemTime())
afterAll(() => gateway?.close())

describe('uploads at a time', () => {
  test('an institution has two, of whichever user: those that take long hold nobody else up', async () => {
    const other = '01a1fe8f-0000-7000-8000-0000000000b9'
    const keys = new Map([
      [bank, withKey['x-api-key']],
      [other, 'sk_test_other'],
    ])
    gateway.main.issue('sk_test_other', { participantId: other })
    const waiting: (() => void)[] = []
    const hold = () => new Promise<Response>((resolve) => waiting.push(() => resolve(Response.json({}))))
    gateway.main.server.answer((request) =>
      request.url.includes(`/${bank}/documents`) ? hold() : gateway.main.handle(request),
    )
    const upload = async (participantId: string) => {
      const headers = { ...(await gateway.user({ participantId })), 'x-api-key': keys.get(participantId) ?? '' }
      return await gateway.post(`/main/v1/participants/${participantId}/documents`, '%PDF', headers)
    }
    const slow = [upload(bank), upload(bank)]
    await until(() => waiting.length === 2, { what: 'both uploads to arrive' })
    expect(refused(await upload(bank), 429).message).toBe('Too many files are being uploaded')
    expect((await upload(other)).status).toBe(200)
    for (const answer of waiting.splice(0)) answer()
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200])
    gateway.main.server.answer(gateway.main.handle)
    expect((await upload(bank)).status).toBe(200)
  })

  test('slow ones of four institutions leave a place to others: the oldest is ended after half a minute', async () => {
    let arrived = 0
    const opened = Promise.withResolvers<Awaited<ReturnType<typeof openGateway>>>()
    const main = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      // An unfinished upload is idle.
      idleTimeout: 0,
      async fetch(request) {
        // The gateway asks for institutions while it starts.
        if (!request.url.endsWith('/documents')) return (await opened.promise).main.handle(request)
        arrived += 1
        await request.bytes()
        return Response.json({})
      },
    })
    const own = await openGateway({ MAIN_URL: `http://127.0.0.1:${main.port}` })
    opened.resolve(own)
    const ids = Array.from({ length: 5 }, (_, n) => `01a1fe8f-0000-7000-8000-0000000000c${n}`)
    const [honest = '', ...slow] = ids
    for (const id of ids) own.main.issue(`sk_test_${id}`, { participantId: id })
    const upload = async (id: string, body: ReadableStream | string) => {
      const headers = { ...(await own.user({ participantId: id })), 'x-api-key': `sk_test_${id}` }
      const url = `${own.url}/main/v1/participants/${id}/documents`
      const answer = await fetch(url, { method: 'POST', body, headers })
      return { status: answer.status, body: (await answer.json()) as { error?: { message: string } } }
    }
    const finish = Promise.withResolvers<void>()
    const unfinished = () =>
      new ReadableStream({
        start: (to) => to.enqueue(new Uint8Array(10)),
        async pull(to) {
          await finish.promise
          to.close()
        },
      })
    setSystemTime(new Date())
    const sent = slow.flatMap((id) => [upload(id, unfinished()), upload(id, unfinished())])
    await until(() => arrived === 8, { what: 'the slow uploads to arrive' })
    expect((await upload(honest, '%PDF')).status).toBe(503)
    setSystemTime(new Date(Date.now() + 30_000))
    expect((await upload(honest, '%PDF')).status).toBe(200)
    const { status, body } = await Promise.race(sent)
    const message = 'The file came so slowly that others had to wait: send it again'
    expect([status, body.error?.message]).toEqual([503, message])
    finish.resolve()
    const statuses = (await Promise.all(sent)).map((answer) => answer.status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 503])
    await own.close()
    await main.stop(true)
  })
})
