import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import { freePort, tempDir, until } from '@bursar/testing'
import { fetchPeer, peerAddress } from '../src'
import { createRestarts } from '../src/peers/restarts'
import { callBySockets, socketFile } from '../src/peers/sockets'
import { at, bySocket, endAll, ends, leaveStale, never, open, place, wordsOf } from './socket-place'

afterEach(endAll)

describe('a call', () => {
  test('goes to the port at once, and once, when nobody listens at the socket any more', async () => {
    const there = await place()
    const socket = await open(there)
    expect(await wordsOf(there.url)).toBe('by the socket')
    await socket?.stop(true)
    leaveStale(there.file)
    const clock = at(performance.now())
    const answer = await fetchPeer(there.url, { method: 'POST', body: 'once', signal: never })
    expect(await answer.text()).toBe('by the port')
    const sent = spyOn(globalThis, 'fetch')
    const files = () => sent.mock.calls.map(([, init]) => (init as BunFetchRequestInit).unix)
    expect(await wordsOf(there.url)).toBe('by the port')
    expect(files()).toEqual([undefined])
    // Its file is asked again when a second is over.
    clock.mockReturnValue(performance.now() + 1500)
    expect(await wordsOf(there.url)).toBe('by the port')
    expect(files().slice(1)).toEqual([there.file, undefined])
    expect(there.byPort).toEqual(['POST once', 'GET ', 'GET '])
  })

  test('is refused as by the port when nobody listens at either', async () => {
    const port = await freePort()
    const folder = tempDir()
    callBySockets(folder)
    leaveStale(socketFile(folder, port))
    await expect(fetchPeer(`http://127.0.0.1:${port}`, { signal: never })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })

  test('whose connection ends is not sent again: the service may have seen it', async () => {
    const there = await place()
    const listener = Bun.listen({ unix: there.file, socket: { data: (socket) => void socket.terminate() } })
    ends.push(() => listener.stop(true))
    const sent = fetchPeer(there.url, { method: 'POST', body: 'once', signal: never })
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(there.byPort).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')('goes to the port when the socket takes no more connections', async () => {
    const there = await place()
    const program = `Bun.serve({ unix: ${JSON.stringify(there.file)}, fetch: () => new Response('late') }); console.log('up')`
    const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
    ends.push(() => child.kill('SIGKILL'))
    await child.stdout.getReader().read()
    child.kill('SIGSTOP')
    // Until its queue is full.
    const waiting = { data() {} }
    for (let isFull = false; !isFull; ) {
      const made = await Bun.connect({ unix: there.file, socket: waiting }).catch(() => null)
      if (made) ends.push(() => made.terminate())
      isFull = made === null
    }
    expect(await wordsOf(there.url)).toBe('by the port')
  })

  test('ends with the reason that it is aborted with, and the service hears of it', async () => {
    const there = await place()
    const asked = Promise.withResolvers<void>()
    let gone = false
    await open(there, ({ signal }) => {
      asked.resolve()
      signal.addEventListener('abort', () => {
        gone = true
      })
      return new Promise(() => {})
    })
    const aborting = new AbortController()
    const answer = fetchPeer(there.url, { signal: aborting.signal })
    await asked.promise
    aborting.abort(new DOMException('late', 'TimeoutError'))
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' })
    await until(() => gone)
    expect(there.byPort).toEqual([])
  })

  test('gets an answer as it streams, compressed as it is; its end by the caller reaches the service', async () => {
    const there = await place()
    let cancelled = false
    const part = Bun.gzipSync('part')
    const source = {
      pull: (to: ReadableStreamDefaultController) => to.enqueue(part),
      cancel() {
        cancelled = true
      },
    }
    await open(there, () => new Response(new ReadableStream(source), { headers: { 'content-encoding': 'gzip' } }))
    const aborting = new AbortController()
    const answer = await fetchPeer(there.url, { signal: aborting.signal, decompress: false })
    const { value } = (await answer.body?.getReader().read()) ?? {}
    expect(value?.slice(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]))
    aborting.abort()
    await until(() => cancelled)
  })

  test('with a body that streams goes by the port, for it could not be sent again', async () => {
    const there = await place()
    await open(there)
    const body = new ReadableStream({
      start(to) {
        to.enqueue(new TextEncoder().encode('parts'))
        to.close()
      },
    })
    expect(await (await fetchPeer(there.url, { method: 'POST', body, signal: never })).text()).toBe('by the port')
    expect(there.byPort).toEqual(['POST parts'])
  })

  test('carries a large body and a large answer', async () => {
    const there = await place()
    await open(there, async (request) => new Response(await request.bytes()))
    const body = crypto.getRandomValues(new Uint8Array(65_536))
    const large = Buffer.concat(Array.from({ length: 128 }, () => body))
    const answer = await fetchPeer(there.url, { method: 'POST', body: large, signal: never })
    expect(Bun.SHA256.hash(await answer.bytes(), 'hex')).toBe(Bun.SHA256.hash(large, 'hex'))
  })

  test('that wishes a WebSocket gets an answer: only the port has them', async () => {
    const there = await place()
    await open(there, ({ headers }) => new Response(String(headers.get('upgrade'))))
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const answer = await fetchPeer(there.url, {
      headers: { ...headers, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      signal: never,
    })
    expect([answer.status, await answer.text()]).toEqual([200, 'null'])
  })

  test('waits for a service that starts again, and reaches it', async () => {
    const port = await freePort()
    const folder = tempDir()
    callBySockets(folder)
    leaveStale(socketFile(folder, port))
    let tries = 0
    const answer = createRestarts(10_000).send(
      [`http://127.0.0.1:${port}`],
      async (address) => {
        tries += 1
        if (tries === 2) {
          const server = Bun.serve({ hostname: '127.0.0.1', port, reusePort: false, fetch: bySocket })
          ends.push(() => server.stop(true))
        }
        return await fetchPeer(address, { method: 'POST', body: 'once', signal: never })
      },
      { isRepeatable: false, timeoutMs: 60_000 },
    )
    expect(await (await answer).text()).toBe('by the socket')
    expect(tries).toBe(2)
  })
})

test('a caller who has hung up has no address', async () => {
  const held = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const seen: (string | null)[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, own) {
      seen.push(peerAddress(request, own))
      request.signal.addEventListener('abort', () => gone.resolve())
      held.resolve()
      await gone.promise
      seen.push(peerAddress(request, own))
      return new Response()
    },
  })
  ends.push(() => server.stop(true))
  const caller = connect(server.port as number, '127.0.0.1')
  caller.on('error', () => {})
  caller.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await held.promise
  caller.destroy()
  await until(() => seen.length === 2)
  expect(seen).toEqual(['127.0.0.1', null])
})
