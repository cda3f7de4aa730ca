import { isoTime } from '@bursar/contracts/iso-time'
import type { Identity } from '@bursar/http'
import {
  and,
  asc,
  type Db,
  gte,
  insertKeyed,
  lte,
  param,
  prepared,
  rowsBy,
  type SQL,
  sql,
  type Tx,
} from '@bursar/store'
import { sealedRows } from '../ledger/sealed-rows'
import type { Decision } from './decisions.model'
import { type ActorKind, type DecisionKind, decisions } from './decisions.table'

export type DecisionRow = typeof decisions.$inferSelect

export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

/** A person's act: who, and why. `actor` is null for an unauthenticated caller. */
export interface Act {
  readonly actor: Actor | null
  readonly note?: string | null | undefined
}

interface Deps {
  readonly identity: Identity
}

/** The authenticated actor of a request; null for none. */
export async function actorIn({ identity }: Deps, request: Request): Promise<Actor | null> {
  const caller = await identity.read(request)
  return caller && { kind: caller.kind, id: caller.subject }
}

/** The act of a request: the actor and the note. */
export const actOf = async (deps: Deps, request: Request, note: Act['note']): Promise<Act> => ({
  actor: await actorIn(deps, request),
  note,
})

/** The decisions about a transaction, oldest first. */
export const decisionsOf = rowsBy(decisions, 'transactionId', 'number')

/** Whether a person has said, for good, that what it has cost was replaced. */
export const isCovered = async (db: Db, transactionId: string): Promise<boolean> =>
  (await decisionsOf(db, transactionId)).some(({ decision }) => decision === 'COVERED')

/** SQL on a transaction or movement: no person has said so. */
export const hasNoCover = (id: SQL): SQL =>
  sql`not exists (select 1 from ${decisions} where ${decisions.transactionId} = ${id} and ${decisions.decision} = 'COVERED')`

/** Adds a decision, in the commit of its effect. */
export async function recordDecision(
  tx: Tx,
  transactionId: string,
  decision: DecisionKind,
  { actor, note }: Act,
  at: Date,
): Promise<void> {
  const number = (await decisionsOf(tx, transactionId)).length + 1
  const who = { actorKind: actor?.kind ?? null, actorId: actor?.id ?? null }
  const made = { transactionId, number, decision, ...who, note: note?.trim() || null, at }
  sealedRows.note(tx, 'decisions', await insertDecisions(tx, [made]))
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
const insertDecisions = insertKeyed(decisions)
