import { isoTime } from '@bursar/contracts/iso-time'
import type { Caller } from '@bursar/http'
import { and, asc, type Db, gte, lte, param, params, prepared, rowsBy, type Tx } from '@bursar/store'
import { sealedRows } from '../ledger/sealed-rows'
import type { Decision } from './decisions.model'
import { type ActorKind, type DecisionKind, decisions } from './decisions.table'

export type DecisionRow = typeof decisions.$inferSelect

/** The authenticated actor. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

/** A person's act: who, and why. `actor` is null for an unauthenticated caller. */
export interface Act {
  readonly actor: Actor | null
  readonly note?: string | null | undefined
}

export const actorOf = (caller: Caller | null): Actor | null => caller && { kind: caller.kind, id: caller.subject }

/** The decisions about a transaction, oldest first. */
export const decisionsOf = rowsBy(decisions, 'transactionId', 'number')

/** Whether a person has said, for good, that what it has cost was replaced. */
export const isCovered = async (db: Db, transactionId: string): Promise<boolean> =>
  (await decisionsOf(db, transactionId)).some(({ decision }) => decision === 'COVERED')

/** Adds a decision, in the commit of its effect. */
export async function recordDecision(
  tx: Tx,
  transactionId: string,
  decision: DecisionKind,
  { actor, note }: Act,
  at: Date,
): Promise<void> {
  const number = (await decisionsOf(tx, transactionId)).length + 1
  const seq = await insertDecision(tx).execute({
    transactionId,
    number,
    decision,
    actorKind: actor?.kind ?? null,
    actorId: actor?.id ?? null,
    note: note?.trim() || null,
    at,
  })
  sealedRows.note(tx, 'decisions', [seq])
}

/** The decisions numbered `from` to `to`, inclusive, in ascending order. */
export const decisionsBetween = (db: Db, from: number, to: number, limit: number): Promise<DecisionRow[]> =>
  between(db).execute({ from, to, limit })

/**
 * Records the person who entered a transaction, in the commit that creates it: this person cannot approve it where two
 * are needed. Services and participants that enter transactions approve nothing, and are not recorded.
 */
export async function recordEntry<T extends { id: string; createdAt: Date }>(
  tx: Tx,
  actor: Actor | null,
  transaction: T,
): Promise<T> {
  if (actor?.kind === 'user') await recordDecision(tx, transaction.id, 'ENTERED', { actor }, transaction.createdAt)
  return transaction
}

/** The person who entered it; null if no person did. */
export const enteredBy = (made: readonly DecisionRow[]): Actor | null => {
  const entry = made.find(({ decision }) => decision === 'ENTERED')
  return entry?.actorKind && entry.actorId ? { kind: entry.actorKind, id: entry.actorId } : null
}

export const toDecision = ({ decision, actorKind, actorId, note, at }: DecisionRow): Decision => ({
  decision,
  actor: actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId },
  note,
  at: isoTime(at),
})

const between = prepared((db) =>
  db
    .select()
    .from(decisions)
    .where(and(gte(decisions.seq, param('from')), lte(decisions.seq, param('to'))))
    .orderBy(asc(decisions.seq))
    .limit(param('limit')),
)
const insertDecision = prepared((db) => db.insert(decisions).values(params(decisions)), 'key')
