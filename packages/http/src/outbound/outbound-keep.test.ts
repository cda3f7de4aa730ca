import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { awakeTimeout } from '@bursar/testing'
import { createOutbound, OutboundError } from './outbound'

const servers: { stop(force: true): unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true)
})

const outbound = createOutbound({ allow: ['127.0.0.1'] })

function serve(answer: () => Response) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  servers.push(server)
  return `http://127.0.0.1:${server.port}/`
}

const keep = (url: string, keepBytes: number, timeoutMs = 60_000) => outbound.request(url, { timeoutMs, keepBytes })
const refusal = (work: Promise<unknown>): Promise<OutboundError> =>
  work.then(
    () => Promise.reject(new Error('it was let through')),
    (error) => error,
  )

describe('keepBytes', () => {
  test('a shorter answer is its text, an empty one too', async () => {
    expect(
      await keep(
        serve(() => new Response('hello', { status: 500 })),
        10,
      ),
    ).toMatchObject({ status: 500, text: 'hello' })
    expect(
      (
        await keep(
          serve(() => new Response(null, { status: 204 })),
          10,
        )
      ).text,
    ).toBe('')
  })

  test('of a longer one the first bytes are, in whole characters', async () => {
    expect(
      (
        await keep(
          serve(() => new Response('hello')),
          4,
        )
      ).text,
    ).toBe('hell')
    expect(
      (
        await keep(
          serve(() => new Response('hello')),
          5,
        )
      ).text,
    ).toBe('hello')
    expect(
      (
        await keep(
          serve(() => new Response('aéé')),
          4,
        )
      ).text,
    ).toBe('aé')
    expect(
      (
        await keep(
          serve(() => new Response('x'.repeat(5_000_000))),
          1024,
        )
      ).text,
    ).toHaveLength(1024)
  })

  test('the rest of an endless one is not waited for', async () => {
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(500).fill(97)) })
    expect(
      (
        await keep(
          serve(() => new Response(endless())),
          1000,
        )
      ).text,
    ).toBe('a'.repeat(1000))
  })

  test('what had come of one that stops is told with the error', async () => {
    const never = new Promise<void>(() => {})
    const stops = () =>
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode('half'))
          await never
        },
      })
    // Time enough for its first half, also on a busy machine.
    const timeouts = spyOn(AbortSignal, 'timeout').mockImplementation(awakeTimeout)
    const url = serve(() => new Response(stops(), { status: 201 }))
    const error = await refusal(keep(url, 1000, 1000))
    timeouts.mockRestore()
    expect(error).toBeInstanceOf(OutboundError)
    expect(error).toMatchObject({ reason: 'timeout', begun: { status: 201, text: 'half' } })
  })

  test('so is the status of one whose connection ends', async () => {
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
          socket.end()
        },
      },
    })
    servers.push(server)
    const error = await refusal(keep(`http://127.0.0.1:${server.port}/?key=secret`, 1000))
    expect(error).toMatchObject({ reason: 'unreachable', begun: { status: 200 } })
    expect(error.message).toContain('broke its answer off')
    expect(error.message).not.toContain('secret')
  })
})

describe('check', () => {
  const named = (address: string) => createOutbound({ allow: [], resolve: async () => [address] })
  const check = (url: string, by = named('8.8.8.8')) => by.check(url, { timeoutMs: 100 })

  test('lets a URL with a public address by, without a request', async () => {
    await check('https://some.test/hook')
  })

  test.each([
    ['http://10.0.0.1/', 'blocked'],
    ['http://[::1]/', 'blocked'],
    ['ftp://some.test/', 'invalid-url'],
    ['nothing', 'invalid-url'],
    ['https://user:password@some.test/', 'invalid-url'],
  ])('refuses %s', async (url, reason) => {
    expect(await refusal(check(url))).toMatchObject({ reason })
  })

  test('looks a name up', async () => {
    expect(await refusal(check('https://some.test/', named('192.168.0.1')))).toMatchObject({ reason: 'blocked' })
    const silent = createOutbound({ allow: [], resolve: () => new Promise(() => {}) })
    expect(await refusal(check('https://some.test/', silent))).toMatchObject({ reason: 'timeout' })
  })
})
