import { connect, createServer } from 'node:net'

interface Refusal {
  /** SQLSTATE. */
  code: string
  message: string
}

const refusalOf = ({ code, message }: Refusal): Buffer => {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`]
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

interface Proxy {
  url: string
  stop(): void
}

/** Passes connections on to a server, but for those that `refuse` has a reason against, by what the client says first. */
function refusingProxy(server: URL, refuse: (startup: string) => Refusal | null): Proxy {
  const listener = createServer((client) => {
    client.once('data', (startup) => {
      const refusal = refuse(startup.toString('latin1'))
      if (refusal) return void client.end(refusalOf(refusal))
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

/** As PgBouncer answers a client that begins with a time-out, which it does not keep apart. */
export const strictPooler = (server: URL): Proxy =>
  refusingProxy(server, (startup) => {
    const setting = /\w+_timeout/.exec(startup)?.[0]
    return setting === undefined ? null : { code: '08P01', message: `unsupported startup parameter: ${setting}` }
  })

/** As a server answers so many times before it has recovered. */
export function recoveringServer(server: URL, times: number): Proxy {
  let left = times
  return refusingProxy(server, () =>
    left-- > 0 ? { code: '57P03', message: 'the database system is starting up' } : null,
  )
}
