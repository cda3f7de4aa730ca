// `bun test/bench/postgres/delay-proxy.ts PORT TO MS`: passes connections of 127.0.0.1:PORT on to 127.0.0.1:TO, and answers come so many
// milliseconds later, as from a server that is so far away. In a process of its own: a busy one would delay them further.
import { connect, createServer } from 'node:net'

const [port = 0, to = 0, delayMs = 0] = process.argv.slice(2).map(Number)

createServer({ noDelay: true }, (near) => {
  const far = connect({ port: to, host: '127.0.0.1', noDelay: true })
  near.on('data', (bytes) => far.write(bytes))
  // Timers of one length end in the order in which they were set.
  far.on('data', (bytes) => setTimeout(() => near.write(bytes), delayMs))
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => setTimeout(() => other.end(), delayMs))
  }
}).listen(port, '127.0.0.1')
