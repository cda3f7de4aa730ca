import { afterEach, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { freePort } from '@bursar/testing'
import { fetchPeer, peerAddress } from '../src'
import { openPort } from '../src/edge/open-port'
import { answerInProcess } from '../src/peers/fetch-peer'

type Handle = (request: Request) => Response | Promise<Response>
type Opened = Awaited<ReturnType<typeof openPort>>
const opened: Opened[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()))
})

/** A server whose answers say by which way they were asked. */
async function open(handle: Handle, host = '127.0.0.1', at?: number): Promise<Opened> {
  const app = {
    server: null as ReturnType<typeof Bun.serve> | null,
    listen({ hostname, port }: { hostname: string; port: number }) {
      app.server = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response('by the port') })
    },
    handle,
  }
  const port = at ?? (await freePort())
  const each = await openPort(app, { host, port, name: 'account', socketDir: null, log: silentLog })
  opened.push(each)
  return each
}

const { signal } = new AbortController()
const get = (url: string, given: AbortSignal = signal) => fetchPeer(`${url}/v1/things?a=1`, { signal: given })
const wordsOf = async (url: string) => await (await get(url)).text()

test('so is one that listens on an address of IPv6', async () => {
  const leave = answerInProcess({ host: '::1', port: '4001' }, () => new Response('without a connection'))
  expect(await wordsOf('http://[::1]:4001')).toBe('without a connection')
  await leave()
})

test('a service of the same process is asked without a connection', async () => {
  const { url } = await open(
    (request) => new Response(`${peerAddress(request, null)} ${request.method} ${request.url}`),
  )
  expect(await wordsOf(url)).toBe(`127.0.0.1 GET ${url}/v1/things?a=1`)
  // Others are not: only requests to services take this way.
  expect(await (await fetch(url)).text()).toBe('by the port')
})

test('it is told the length of a body, in bytes', async () => {
  const { url } = await open(async (request) =>
    Response.json([request.headers.get('content-length'), await request.text()]),
  )
  for (const body of ['{"name":"é"}', new TextEncoder().encode('{"name":"é"}')]) {
    const answer = await fetchPeer(url, { method: 'POST', body, signal })
    expect(await answer.json()).toEqual(['13', '{"name":"é"}'])
  }
})

test('one that listens everywhere is found at the loopback; another port is not', async () => {
  const { url } = await open(() => new Response('near'), '0.0.0.0')
  const { port } = new URL(url)
  expect(await wordsOf(`http://127.0.0.1:${port}`)).toBe('near')
  expect(await wordsOf(`http://localhost:${port}`)).toBe('near')
  await expect(get(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow('Unable to connect')
})

test('a call that is aborted rejects with the reason, before and while it is answered', async () => {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<Response>()
  const { url } = await open(() => {
    asked.resolve()
    return held.promise
  })
  const late = new DOMException('late', 'TimeoutError')
  await expect(get(url, AbortSignal.abort(late))).rejects.toBe(late)
  const aborting = new AbortController()
  const answer = get(url, aborting.signal)
  await asked.promise
  aborting.abort(late)
  await expect(answer).rejects.toBe(late)
  held.resolve(new Response())
})

test('a failure of the handler rejects', async () => {
  const { url } = await open(() => Promise.reject(new Error('broken')))
  await expect(get(url)).rejects.toThrow('broken')
})

test('a service that stops answers what is under way, and nothing more', async () => {
  const held = Promise.withResolvers<Response>()
  const { url, stop } = await open(() => held.promise)
  const underWay = wordsOf(url)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await expect(get(url)).rejects.toThrow('Unable to connect')
  expect(isStopped).toBe(false)
  held.resolve(new Response('in the end'))
  expect(await underWay).toBe('in the end')
  await stopping
})

test('a service that starts anew at its port is the one that is asked', async () => {
  const first = await open(() => new Response('first'))
  const { port } = new URL(first.url)
  await first.stop()
  await open(() => new Response('second'), '127.0.0.1', Number(port))
  await first.stop()
  expect(await wordsOf(first.url)).toBe('second')
})
