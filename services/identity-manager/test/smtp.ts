import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as the server got it. */
export interface Received {
  from: string
  to: string[]
  /** The whole message, its headers among it. */
  message: string
  secure: boolean
  user: string | undefined
}

export interface TestSmtp {
  port: number
  /** What it took, oldest first. */
  received: Received[]
  /** What it says to the next mails: refusals, then it takes them. */
  refuse(...replies: { code: number; words: string }[]): void
  stop(): Promise<void>
}

/** A real SMTP server on a free port of this machine. */
export async function testSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: Received[] = []
  const refusals: { code: number; words: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username ?? '' }) : done(new Error('Invalid username or password')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = refusals.shift()
        if (refusal) return done(Object.assign(new Error(refusal.words), { responseCode: refusal.code }))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
          secure: session.secure,
          user: session.user as string | undefined,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuse: (...replies) => refusals.push(...replies),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
