import { and, asc, eq, every, gt, isNull, type Loop, lte, or, param, prepared, type Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import type { MailTransport } from './mail-transport'
import type { MailRow } from './mails'
import { mails } from './mails.table'

const everyMs = 1000
/** Longer than a transport takes; after a crash the mail waits for so long. */
const leaseMs = 60_000
const firstPauseMs = 5000
const longestPauseMs = 15 * 60_000
/** No moment of ours lies further ahead: one that does was set by a clock that was put right since. */
const horizonMs = 60 * 60_000

type SendingDeps = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'log'>

/** Sends what is due, every second. */
export function startSending(deps: SendingDeps, transport: MailTransport): Loop {
  const loop = every(everyMs, () => sendDue(deps, transport), {
    log: deps.log,
    name: 'The sending of mails',
    firstMs: 0,
  })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      transport.close()
    },
  }
}

/**
 * Sends every mail that is due, each at least once: after a crash one may be sent again, with the same message id. One that
 * cannot be sent is tried again, after pauses that grow, until what it says is of no use any more.
 */
export async function sendDue(deps: SendingDeps, transport: MailTransport): Promise<void> {
  const by = crypto.randomUUID()
  for (let row = await claim(deps, by); row; row = await claim(deps, by)) await send(deps, transport, row, by)
}

async function send(deps: SendingDeps, transport: MailTransport, row: MailRow, by: string): Promise<void> {
  const { store, seal, now, log } = deps
  const { id, recipient, subject, body } = row
  if (body === null || row.expiresAt <= now()) {
    log.warn({ mail: id, attempts: row.attempts }, 'A mail was given up')
    return await store.commit((tx) => settle(tx, row, by, over(row, 'not sent in time')))
  }
  const problem = await transport
    .send({ id, recipient, subject, body: seal.open(body, id) })
    .then(() => null, problemOf)
  if (problem === null) return await store.commit((tx) => settle(tx, row, by, { ...over(row, null), sentAt: now() }))
  // What the server said may name the recipient: it stays in the database.
  log.warn({ mail: id, attempts: row.attempts + 1, code: problem.code }, 'A mail could not be sent; it is tried again')
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** row.attempts)
  const dueAt = new Date(now().getTime() + pauseMs)
  await store.commit((tx) =>
    settle(tx, row, by, { ...row, dueAt, attempts: row.attempts + 1, lastError: problem.words }),
  )
}

/** Nothing more is done about it, and what it said is forgotten. */
const over = (row: MailRow, lastError: string | null): MailRow => ({ ...row, body: null, dueAt: null, lastError })

function problemOf(error: unknown): { code: string; words: string } {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return { code: String(code ?? 'unknown'), words: String(message ?? error).slice(0, 500) }
}

/** Takes a mail that is due; undefined when there is none. */
const claim = ({ store, now }: SendingDeps, by: string): Promise<MailRow | undefined> =>
  store.commit(async (tx) => {
    const at = now()
    const horizon = new Date(at.getTime() + horizonMs)
    const [row] = await oldestDue(tx).execute({ now: at, horizon })
    if (row) await lease(tx).execute({ id: row.id, by, leasedUntil: new Date(at.getTime() + leaseMs) })
    return row
  })

/** Stores what became of it, unless another worker has taken it meanwhile. */
async function settle(tx: Tx, { id }: MailRow, by: string, row: MailRow): Promise<void> {
  await settleLeased(tx).execute({ ...row, id, by })
}

const oldestDue = prepared((db) =>
  db
    .select()
    .from(mails)
    .where(
      and(
        or(lte(mails.dueAt, param('now')), gt(mails.dueAt, param('horizon'))),
        or(isNull(mails.leasedUntil), lte(mails.leasedUntil, param('now')), gt(mails.leasedUntil, param('horizon'))),
      ),
    )
    .orderBy(asc(mails.dueAt), asc(mails.id))
    .limit(1),
)
const lease = prepared((db) =>
  db
    .update(mails)
    .set({ leasedBy: param('by'), leasedUntil: param('leasedUntil') })
    .where(eq(mails.id, param('id'))),
)
const settleLeased = prepared((db) =>
  db
    .update(mails)
    .set({
      body: param('body'),
      dueAt: param('dueAt'),
      attempts: param('attempts'),
      sentAt: param('sentAt'),
      lastError: param('lastError'),
      leasedBy: null,
      leasedUntil: null,
    })
    .where(and(eq(mails.id, param('id')), eq(mails.leasedBy, param('by')))),
)
