// A proxy in front of a service. While it loses answers, some connections end before the answer: the request has acted,
// and its caller does not know.
import { connect, createServer, type Socket } from 'node:net'
import type { Random } from './random'

export interface LossyProxy {
  port: number
  /** How many answers of a hundred are lost from now on. */
  lose(percent: number): void
  lost(): number
  stop(): Promise<void>
}

/** Listens on `port` for the service that listens on `to`. */
export async function lossyProxy(port: number, to: number, random: Random): Promise<LossyProxy> {
  const open = new Set<Socket>()
  let share = 0
  let lost = 0
  const server = createServer((caller) => {
    const service = connect(to, '127.0.0.1')
    const end = () => {
      for (const socket of [caller, service]) {
        socket.destroy()
        open.delete(socket)
      }
    }
    for (const socket of [caller, service]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    caller.on('data', (bytes) => void service.write(bytes))
    service.on('data', (bytes) => {
      if (share === 0 || !random.chance(share)) return void caller.write(bytes)
      lost += 1
      end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port,
    lose(percent) {
      share = percent / 100
    },
    lost: () => lost,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
