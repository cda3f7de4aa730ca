import { until } from '@bursar/testing'

/** Sends a text as it is over a connection of its own; resolves with what came once that is closed, or has an end. */
export async function sendRaw(
  url: string,
  text: string,
  isEnough: (got: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url)
  let got = ''
  let isClosed = false
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        got += data.toString('latin1')
      },
      close() {
        isClosed = true
      },
      error() {
        isClosed = true
      },
    },
  })
  socket.write(text)
  socket.flush()
  await until(() => isClosed || isEnough(got), { what: 'an answer' })
  socket.terminate()
  return got
}

interface RawSocket {
  write(text: string): number
  end(): void
  isClosed(): boolean
}

/** A server that is no HTTP server: what it does with each connection's first bytes is the test's. */
export function rawServer(answer: (socket: RawSocket, got: string) => void) {
  const received: string[] = []
  const closed = new Set<object>()
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, data) {
        received.push(data.toString('latin1'))
        const end = () => void socket.end()
        const isClosed = () => closed.has(socket)
        answer({ write: (text) => socket.write(text), end, isClosed }, data.toString('latin1'))
      },
      close(socket) {
        closed.add(socket)
      },
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    closed: () => closed.size,
    stop: () => server.stop(true),
  }
}
