// A stream ends with what it was opened with: its session, its API key, its institution. Both forms of the log stream.
import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test'
import type { RoleName } from '@bursar/contracts/identity-manager'
import { until } from '@bursar/testing'
import { openGateway, type TestGateway } from './harness'

/** The log tracker: a stream that says something every now and then, in both forms. */
function trackerPeer() {
  const tick = 20
  const timers = new Set<Timer>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    websocket: {
      open(socket) {
        timers.add(setInterval(() => socket.send('{}'), tick))
      },
      message() {},
    },
    fetch(request, { upgrade }) {
      if (upgrade.call(server, request)) return undefined
      let timer: Timer | undefined
      const end = () => clearInterval(timer)
      request.signal.addEventListener('abort', end)
      const body = new ReadableStream({
        start(controller) {
          timer = setInterval(() => controller.enqueue(new TextEncoder().encode('data: {}\n\n')), tick)
          timers.add(timer)
        },
        cancel: end,
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await server.stop(true)
    },
  }
}

interface Reader {
  heard: number
  hasEnded: boolean
  close(): void
}

let tracker: ReturnType<typeof trackerPeer>
let gateway: TestGateway
const readers: Reader[] = []
beforeAll(async () => {
  tracker = trackerPeer()
  gateway = await openGateway({ TRACKER_URL: tracker.url, AUTHORIZATION: 'documented' })
})
afterAll(async () => {
  setSystemTime()
  for (const reader of readers) reader.close()
  await gateway?.close()
  await tracker.stop()
})

const path = '/tracker/v1/log-messages/stream'

async function listen(headers: Record<string, string>): Promise<Reader> {
  const stop = new AbortController()
  const reader: Reader = { heard: 0, hasEnded: false, close: () => stop.abort() }
  const answer = await fetch(gateway.url + path, { headers, signal: stop.signal })
  expect(answer.status).toBe(200)
  const read = async () => {
    for await (const _ of answer.body as ReadableStream<Uint8Array>) reader.heard += 1
  }
  read()
    .catch(() => {})
    .finally(() => {
      reader.hasEnded = true
    })
  return reader
}

function listenBySocket(headers: Record<string, string>): Reader {
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, { headers })
  const reader: Reader = { heard: 0, hasEnded: false, close: () => socket.close() }
  socket.onmessage = () => {
    reader.heard += 1
  }
  socket.onclose = () => {
    reader.hasEnded = true
  }
  return reader
}

let made = 0
/** An institution's user with its API key, and its streams in both forms. */
async function institution({ expiresIn, roles }: { expiresIn?: number; roles?: RoleName[] } = {}) {
  const id = Bun.randomUUIDv7()
  const sid = Bun.randomUUIDv7()
  const key = `sk_test_streams_${++made}`
  gateway.main.issue(key, { participantId: id })
  gateway.main.move(id, 'APPROVED')
  const user = await gateway.user({ participantId: id, sid, expiresIn, roles })
  const headers = { ...user, 'x-api-key': key }
  const own = [await listen(headers), listenBySocket(headers)]
  await until(() => own.every(({ heard }) => heard > 0), { what: 'both streams to begin' })
  readers.push(...own)
  return { id, sid, key, own }
}
const allEnded = ({ own }: { own: Reader[] }) => own.every(({ hasEnded }) => hasEnded)
/** That they still bring what is new. */
async function goOn({ own }: { own: Reader[] }): Promise<void> {
  const heard = own.map((each) => each.heard)
  await until(() => own.every((each, i) => each.heard > (heard[i] ?? 0)), { what: 'streams to go on' })
  expect(own.map(({ hasEnded }) => hasEnded)).toEqual(own.map(() => false))
}

test('streams end within seconds with their key, their session, their token and their institution; others go on', async () => {
  const [keyless, loggedOut, offboarded, deleted, paused, untouched] = await Promise.all(
    Array.from({ length: 6 }, () => institution()),
  )
  const expiring = await institution({ expiresIn: 600 })
  const all = { keyless, loggedOut, offboarded, deleted, expiring, paused, untouched }
  for (const each of Object.values(all)) await goOn(each as { own: Reader[] })

  setSystemTime(new Date(Date.now() + 600_000))
  gateway.main.issue(keyless?.key ?? '', { participantId: keyless?.id ?? '', status: 'revoked' })
  gateway.identity.revoke(loggedOut?.sid ?? '')
  gateway.main.move(offboarded?.id ?? '', 'OFFBOARDED')
  gateway.participant.delete(deleted?.id ?? '')
  gateway.main.move(paused?.id ?? '', 'PAUSED')
  const ending = { keyless, loggedOut, offboarded, deleted, expiring }
  const left = () => Object.entries(ending).flatMap(([name, each]) => (each && allEnded(each) ? [] : [name]))
  await until(() => left().length === 0, {
    what: 'the streams of those that have ended to end',
  }).catch(() => {})
  expect(left()).toEqual([])
  await goOn(paused as { own: Reader[] })
  await goOn(untouched as { own: Reader[] })
})
