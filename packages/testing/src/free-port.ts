import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections (Linux from 32768, macOS from 49152). */
const first = 20_000
const last = 32_000

/** Parallel processes of `bun test`, twelve at most, have a range of ports each, so that a free port stays free. */
const slices = 13
const width = Math.floor((last - first) / slices)
const mine = first + (Number(process.env.BUN_TEST_WORKER_ID ?? 0) % slices) * width
let next = Math.floor(Math.random() * width)

/**
 * A TCP port of 127.0.0.1 that nothing listens on now. It is never one of the ephemeral ports: a client that keeps
 * trying to reach a stopped server there can end up connected to itself, and the server then finds its port taken.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = mine + (next++ % width)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port found between ${mine} and ${mine + width}`)
}

/** Whether nothing listens on a port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
