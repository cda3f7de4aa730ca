import { connect, createServer } from 'node:net'

/** As PgBouncer answers a client that begins with a setting that it does not keep apart. */
const refusal = (setting: string): Buffer => {
  const fields = ['SFATAL', 'VFATAL', 'C08P01', `Munsupported startup parameter: ${setting}`]
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Passes connections on to a server; not those that begin with a time-out. */
export function strictPooler(server: URL): { url: string; stop(): void } {
  const listener = createServer((client) => {
    client.once('data', (startup) => {
      const setting = /\w+_timeout/.exec(startup.toString('latin1'))?.[0]
      if (setting !== undefined) return void client.end(refusal(setting))
      const upstream = connect(Number(server.port), server.hostname)
      upstream.write(startup)
      client.pipe(upstream).pipe(client)
      upstream.on('error', () => client.destroy())
      client.on('error', () => upstream.destroy())
    })
  })
  listener.listen(0, '127.0.0.1')
  const url = new URL(server)
  url.port = String((listener.address() as { port: number }).port)
  return { url: url.href, stop: () => void listener.close() }
}
