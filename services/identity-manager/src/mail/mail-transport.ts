import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config'

/** A mail to send. */
export interface Outgoing {
  /** Identifies it, also when it is sent again. */
  id: string
  recipient: string
  subject: string
  body: string
}

/** Sends mails. */
export interface MailTransport {
  /** Resolves once the server has accepted the mail. */
  send(mail: Outgoing): Promise<void>
  /** Asks whether mails would be taken: connection, TLS and log-in. Rejects with what is wrong. */
  check(): Promise<void>
  close(): void
}

/** Sends to the SMTP server of the settings, else to files in their folder. */
export const createMailTransport = ({ smtpUrl, mailFrom, mailDir }: Config): MailTransport =>
  smtpUrl === undefined ? fileTransport(mailDir, mailFrom) : smtpTransport(smtpUrl, mailFrom)

const timeoutMs = 15_000

function smtpTransport(url: string, from: string): MailTransport {
  const { hostname, searchParams } = new URL(url)
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const transport = createTransport({
    url,
    // Mails contain tokens: they do not cross a network unencrypted unless the URL says so.
    ignoreTLS: isLoopback,
    requireTLS: !isLoopback && searchParams.get('requireTLS') !== 'false',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (mail) => {
      await transport.sendMail(toMessage(mail, from))
    },
    check: async () => {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

/** One `<id>.eml` per mail, readable by the owner only: mails contain tokens. */
function fileTransport(folder: string, from: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(toMessage(mail, from))
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
      const file = join(folder, `${mail.id}.eml`)
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true })
      renameSync(`${file}.part`, file)
    },
    check: async () => {},
    close: () => {},
  }
}

const toMessage = ({ id, recipient, subject, body }: Outgoing, from: string) => ({
  from: { name: 'Bursar', address: from },
  to: { name: '', address: recipient },
  subject,
  text: body,
  // The same for a repeat, so that receivers can detect it.
  messageId: `<${id}@${from.split('@')[1]}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
})
