import {
  and,
  type Claimed,
  type Db,
  doubling,
  gt,
  gte,
  isNotNull,
  param,
  prepared,
  type Tx,
  updateBy,
  type WorkLoop,
  workOn,
  workQueue,
} from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import type { MailTransport } from './mail-transport'
import type { MailRow } from './mails'
import { mails } from './mails.table'

const mailQueue = workQueue(mails, {
  id: 'id',
  // Longer than a transport's timeout.
  leaseMs: 60_000,
  backoff: doubling(5000, 15 * 60_000),
})

type SendingDeps = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'log'>

/**
 * Sends every mail that is due, each at least once: after a crash one may be sent again, with the same message id. A
 * mail that cannot be sent is retried, after growing pauses, until its content is useless.
 */
export function startSending(deps: SendingDeps, transport: MailTransport): WorkLoop {
  const { store, now, log } = deps
  const loop = workOn(mailQueue, {
    store,
    now,
    log,
    name: 'Sending mails',
    handle: async ([mail]) => {
      if (mail) await send(deps, transport, mail)
    },
    // One after another, because mail servers limit connections.
    places: 1,
    batch: 1,
    lookMs: 1000,
  })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      transport.close()
    },
  }
}

async function send(deps: SendingDeps, transport: MailTransport, row: Claimed<MailRow>): Promise<void> {
  const { store, seal, now, log } = deps
  const { id, recipient, subject, body } = row
  if (body === null || row.expiresAt <= now()) {
    log.warn({ mail: id, attempts: row.attempts }, 'A mail was given up')
    return await store.commit((tx) => close(tx, row, { sentAt: null, lastError: 'not sent in time' }))
  }
  const problem = await transport
    .send({ id, recipient, subject, body: seal.open(body, id) })
    .then(() => null, problemOf)
  if (problem === null) return await store.commit((tx) => close(tx, row, { sentAt: now(), lastError: null }))
  // The server's message may name the recipient: it is stored in the database only.
  log.warn({ mail: id, attempts: row.attempts + 1, code: problem.code }, 'A mail could not be sent; it will be retried')
  await store.commit((tx) => mailQueue.reschedule(tx, row, { now: now(), error: problem.words }))
}

/** Ends a mail and deletes its body. */
async function close(tx: Tx, row: Claimed<MailRow>, how: { sentAt: Date | null; lastError: string | null }) {
  await mailQueue.finish(tx, [row])
  await closeMail(tx).execute({ id: row.id, body: null, ...how })
}

function problemOf(error: unknown): { code: string; words: string } {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return { code: String(code ?? 'unknown'), words: String(message ?? error).slice(0, 500) }
}

/** Failed attempts of some minutes: what is good for ten minutes is given up soon after. */
const manyAttempts = 6
const mostCounted = 1000

/**
 * The health sentence while no mail can be sent; null for none. Not for one that its server alone refuses, while later ones
 * are sent: only its sender could correct that.
 */
export async function unsentSentence(db: Db): Promise<string | null> {
  const times = (await failing(db).execute()).map(({ createdAt }) => createdAt.getTime())
  if (times.length === 0) return null
  const [later] = await sentAfter(db).execute({ at: new Date(Math.max(...times)) })
  if (later) return null
  const which = times.length === 1 ? '1 waits' : `${times.length} wait`
  const since = new Date(Math.min(...times)).toISOString()
  return `No mail can be sent: ${which}, the oldest since ${since}: bun run doctor asks the mail server`
}

const failing = prepared((db) =>
  db
    .select({ createdAt: mails.createdAt })
    .from(mails)
    .where(and(isNotNull(mails.dueAt), gte(mails.attempts, manyAttempts)))
    .limit(mostCounted),
)
const sentAfter = prepared((db) =>
  db
    .select({ id: mails.id })
    .from(mails)
    .where(and(gt(mails.createdAt, param('at')), isNotNull(mails.sentAt)))
    .limit(1),
)
const closeMail = updateBy(mails, 'id', ['body', 'sentAt', 'lastError'])
