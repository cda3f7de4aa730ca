import { institutionReplicas } from '@bursar/http'
import { type Db, eq, inArray, isNotNull, prepared, type SQL, sql } from '@bursar/store'
import { accounts, customerOwners } from './accounts.table'
import { type HeldState, heldInstitutions, participants, pfis } from './institutions.table'

export const institutions = institutionReplicas({ pfis, participants })

/** An institution's row of `heldInstitutions`, in a query that joins accounts and the owners of their customers. */
export const holdsOwner: SQL = eq(
  heldInstitutions.id,
  sql`coalesce(${accounts.participantId}, ${customerOwners.participantId})`,
)

/** Why an account may not be used (decisions, Institutions that are PAUSED, OFFBOARDED or deleted). */
export const heldReason = (accountId: string, state: HeldState): string =>
  `The institution of account ${accountId} is ${state === 'DELETED' ? 'deleted' : state}; only accounts of active institutions can be used`

/** What becomes of approved transactions: those of an offboarded or deleted institution wait for a person. */
export const wayOut = (state: HeldState): string =>
  state === 'PAUSED'
    ? 'it goes on once the institution is active again'
    : 'an operator fails it, or it goes on once the institution is active again'

/** A change of a held institution: `state` is null for one that is no longer held. */
export interface HeldChange {
  id: string
  state: HeldState | null
}

/** The differences between `heldInstitutions` and the replicas. */
export async function heldChanges(db: Db): Promise<HeldChange[]> {
  const wanted = new Map<string, HeldState>()
  for (const { id, status } of await heldPfis(db).execute()) wanted.set(id, status as HeldState)
  for (const { id } of await deletedParticipants(db).execute()) wanted.set(id, 'DELETED')
  const held = new Map((await allHeld(db).execute()).map(({ id, state }) => [id, state]))
  return [
    ...[...wanted].filter(([id, state]) => held.get(id) !== state).map(([id, state]) => ({ id, state })),
    ...[...held.keys()].filter((id) => !wanted.has(id)).map((id) => ({ id, state: null })),
  ]
}

const heldPfis = prepared((db) =>
  db
    .select({ id: pfis.id, status: pfis.status })
    .from(pfis)
    .where(inArray(pfis.status, ['PAUSED', 'OFFBOARDED'])),
)
const deletedParticipants = prepared((db) =>
  db.select({ id: participants.id }).from(participants).where(isNotNull(participants.deletedAt)),
)
const allHeld = prepared((db) => db.select().from(heldInstitutions))
