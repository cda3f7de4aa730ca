// What is sent by a connection that was kept from another request, and breaks.
import { afterEach, expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { fetchPeer } from '../src/peers/fetch-peer'
import { callBySockets, socketFile } from '../src/peers/sockets'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Answers OPTIONS, and breaks the connection at anything else, which it notes. */
const breaking = (seen: string[]) => ({
  data(socket: Bun.Socket, bytes: Buffer) {
    const [method = ''] = bytes.toString().split(' ', 1)
    if (method === 'OPTIONS') return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    seen.push(method)
    socket.end()
  },
})

const signal = AbortSignal.timeout(60_000)

/** Sends a request by a connection that was used before. Whether it failed. */
async function isBroken(url: string, method: string): Promise<boolean> {
  await (await fetchPeer(url, { method: 'OPTIONS', signal })).text()
  return await fetchPeer(url, { method, signal }).then(
    () => false,
    () => true,
  )
}

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is sent once, by the port and by the socket', async (method) => {
  const [byPort, bySocket]: [string[], string[]] = [[], []]
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: breaking(byPort) })
  ends.push(() => server.stop(true))
  const url = `http://127.0.0.1:${server.port}/`
  expect(await isBroken(url, method)).toBe(true)
  expect(byPort).toEqual([method])

  const folder = tempDir()
  callBySockets(folder)
  const socket = Bun.listen({ unix: socketFile(folder, server.port), socket: breaking(bySocket) })
  ends.push(() => socket.stop(true))
  expect(await isBroken(url, method)).toBe(true)
  expect({ byPort, bySocket }).toEqual({ byPort: [method], bySocket: [method] })
})
