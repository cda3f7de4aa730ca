import type { Actor } from '@bursar/contracts/status-history'
import { insertInto, rowsBy } from '../statements/plain'
import type { Db, Tx } from '../statements/statements'
import { newId } from './ids'
import type { statusChangesTable } from './status-changes.table'

type StatusChanges = ReturnType<typeof statusChangesTable>

interface NewStatusChange<S extends string = string> {
  recordId: string
  from: S
  to: S
  reason: string | null
  /** Null where the caller did not prove who it is. */
  actor: Actor | null
}

/** A change in its public form. */
interface StatusEntry<S extends string> {
  field: 'status'
  from: S
  to: S
  reason: string | null
  /** Null where the caller did not prove who it is. */
  actor: Actor | null
  at: string
}

/** The status history in a service's table. */
export function statusHistory<S extends string>(changes: StatusChanges) {
  const insertChange = insertInto(changes)
  const changesOf = rowsBy(changes, 'recordId', 'id')
  return {
    /** Records a change in the caller's commit; returns its public form. */
    async add(tx: Tx, { actor, ...change }: NewStatusChange<S>, now: Date): Promise<StatusEntry<S>> {
      const who = { actorKind: actor?.kind ?? null, actorId: actor?.id ?? null }
      await insertChange(tx).execute({ id: newId(), ...change, ...who, at: now })
      const { from, to, reason } = change
      return { field: 'status', from, to, reason, actor, at: now.toISOString() }
    },
    /** The changes of a record, oldest first. */
    async of(db: Db, recordId: string): Promise<StatusEntry<S>[]> {
      const rows = await changesOf(db, recordId)
      return rows.map(({ from, to, reason, actorKind, actorId, at }) => ({
        field: 'status',
        from: from as S,
        to: to as S,
        reason,
        actor: actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId },
        at: at.toISOString(),
      }))
    },
  }
}
