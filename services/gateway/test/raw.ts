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
  await until(() => isClosed || isEnough(got), { timeoutMs: 10_000, what: 'an answer' })
  socket.terminate()
  return got
}

/** A server that is no HTTP server: what it does with each connection's first bytes is the test's. */
export function rawServer(answer: (socket: { write(text: string): number; end(): void }, got: string) => void) {
  const received: string[] = []
  let closed = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, data) {
        received.push(data.toString('latin1'))
        answer({ write: (text) => socket.write(text), end: () => void socket.end() }, data.toString('latin1'))
      },
      close() {
        closed += 1
      },
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    closed: () => closed,
    stop: () => server.stop(true),
  }
}
