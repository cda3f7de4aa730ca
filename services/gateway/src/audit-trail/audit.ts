import type { Log } from '@bursar/contracts/log'
import { AppError, sha256 } from '@bursar/http'
import type { Store } from '@bursar/store'
import { newId } from '@bursar/store'
import { fail } from '../errors'
import type { Act } from './act'
import { withoutSecrets } from './redact'
import { appendRow, type NewAuditRow, rowsOf } from './trail'

/** The outcome of an action. */
export interface Outcome {
  readonly status: number
  /** The object afterwards; undefined if it cannot be read. */
  readonly after?: unknown
  /** The id of the created object. */
  readonly object?: string | null
  /** The service's answer, if it says more than `after`. */
  readonly answer?: unknown
  /** True when an idempotency key was repeated: the answer is the first one's, and nothing was done again. */
  readonly isRepeat?: boolean | undefined
  /** Why it was refused or failed. */
  readonly problem?: string
}

export type Audit = ReturnType<typeof createAudit>

/** Records administrative actions in the audit trail. What cannot be recorded first fails with 503. */
export function createAudit({ store, log, now }: { store: Pick<Store, 'commit'>; log: Log; now: () => Date }) {
  async function write(...rows: NewAuditRow[]): Promise<void> {
    const end = await store.commit(async (tx) => {
      let last = null
      for (const row of rows) last = await appendRow(tx, row)
      return last
    })
    // A copy of the chain's end outside of the database: somebody who rewrites the file cannot also rewrite the log.
    log.info({ number: end?.number, hash: end?.hash, act: rows[0]?.actId, action: rows[0]?.action }, 'audited')
  }

  return {
    /**
     * Records the action, carries it out, and records its outcome. Errors of `carryOut` are recorded and rethrown.
     */
    async record<T>(
      act: Act,
      before: unknown,
      carryOut: () => Promise<T>,
      outcomeOf: (result: T) => Promise<Outcome>,
    ): Promise<T> {
      const asked = askedRow(act, now(), before)
      await write(asked).catch(refuse)
      /** The action was answered: a failure to record it must not change the answer. */
      const writeAnswered = (outcome: Outcome): Promise<void> =>
        write(answeredRow(asked, now(), outcome)).catch((error: unknown) =>
          log.error({ err: error, act: asked.actId, action: act.action, status: outcome.status }, unwritten),
        )
      try {
        const result = await carryOut()
        await writeAnswered(await outcomeOf(result))
        return result
      } catch (error) {
        await writeAnswered(failureOf(error))
        throw error
      }
    },
    /** Records an action that has happened: a refusal, a log-in. */
    async note(act: Act, outcome: Outcome): Promise<void> {
      const asked = askedRow(act, now())
      await write(asked, answeredRow(asked, asked.at, outcome)).catch(refuse)
    },
    /** Records an action that begins now, elsewhere, and returns its id. */
    async begin(act: Act): Promise<string> {
      const asked = askedRow(act, now())
      await write(asked).catch(refuse)
      return asked.actId
    },
    /** Records the outcome of an action that was begun so. False when there is none that waits for its outcome. */
    async end(actId: string, outcome: Outcome): Promise<boolean> {
      const end = await store.commit(async (tx) => {
        const [asked, ...others] = await rowsOf(tx, actId)
        return asked && others.length === 0 ? await appendRow(tx, answeredRow(asked, now(), outcome)) : null
      })
      if (end) log.info({ number: end.number, hash: end.hash, act: actId }, 'audited')
      return end !== null
    },
  }
}

const unwritten = 'How an act ended could not be written to the audit trail'
const refuse = (cause: unknown): never => {
  throw fail('SERVICE_UNAVAILABLE', { message: 'The action cannot be recorded in the audit trail right now', cause })
}

/** The caller's view of an error. */
export const failureOf = (error: unknown): Outcome =>
  error instanceof AppError
    ? { status: error.status, problem: error.message }
    : { status: 500, problem: 'Internal server error' }

/** An action's id contains its time, to the millisecond: lists are ranged by it. */
const askedRow = (
  { actor, service, action, object, requestId, request }: Act,
  at: Date,
  before?: unknown,
): NewAuditRow => ({
  actId: newId(at),
  step: 'asked',
  at,
  door: actor.door,
  actor: actor.id,
  roles: actor.roles.join(','),
  session: actor.session,
  address: actor.address,
  service,
  action,
  object,
  status: null,
  requestId,
  detail: detailText({ request, before }),
})

const answeredRow = (asked: NewAuditRow, at: Date, { status, object, ...parts }: Outcome): NewAuditRow => ({
  ...asked,
  step: 'answered',
  at,
  object: object ?? asked.object,
  status,
  detail: detailText(parts),
})

/** The maximum length of each part of a row, as JSON text. */
const mostChars = 32 * 1024

/** The JSON of a row's parts without their secrets. A part that is too long is replaced by its length and hash. */
function detailText(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, kept(part)])))
}

function kept(part: unknown): unknown {
  if (part === undefined) return undefined
  const clean = withoutSecrets(part)
  const text = JSON.stringify(clean)
  if (text.length <= mostChars) return clean
  return { tooLong: text.length, sha256: sha256(text) }
}
