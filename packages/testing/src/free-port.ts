import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections (Linux from 32768, macOS from 49152). */
const first = 10_000
const last = 32_000

/** Far more than the processes of tests at a time, also of several runs. */
const ranges = 44
const width = Math.floor((last - first) / ranges)
/** Where this process looks first. */
const wanted = Number(process.env.BUN_TEST_WORKER_ID ?? Math.floor(Math.random() * ranges))

interface Range {
  start: number
  /** Listens at its first port until this process ends: that keeps it from others. */
  holder: Server
}

let mine: Promise<Range> | undefined
let next = Math.floor(Math.random() * width)

/**
 * A TCP port of 127.0.0.1 that nothing listens on now, and that no other process of tests gets. It is never one of the
 * ephemeral ports: a client that keeps trying to reach a stopped server there can end up connected to itself, and the server
 * then finds its port taken.
 */
export async function freePort(): Promise<number> {
  mine ??= claimRange()
  const { start } = await mine
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = start + 1 + (next++ % (width - 1))
    if (await isFree(port)) return port
  }
  throw new Error(`No free port found between ${start} and ${start + width}`)
}

/** Claims a range that no other process has. */
async function claimRange(): Promise<Range> {
  for (let n = 0; n < ranges; n++) {
    const start = first + ((wanted + n) % ranges) * width
    const holder = await listenAt(start)
    if (!holder) continue
    holder.unref()
    return { start, holder }
  }
  throw new Error(`Other processes have all ports between ${first} and ${last}`)
}

/** Whether nothing listens on a port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  const server = await listenAt(port)
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  return server !== null
}

/** Null where something listens already. */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}
