import { and, asc, type Db, eq, getTableColumns, isNotNull, param, params, prepared, sql, type Tx } from '@bursar/store'
import type { CustomerRow } from '../customers/customers'
import { customers } from '../customers/customers.table'
import { members } from './members.table'

/** The customers of a participant, in its order. */
export const membersOf = (db: Db, participantId: string): Promise<CustomerRow[]> =>
  customersOfParticipant(db).execute({ participantId })

/** A customer that is, or was, a participant's; `participantId` is null where the participant's creation failed. */
export interface KnownMember {
  customer: CustomerRow
  participantId: string | null
}

/** The known customer with an external id; undefined when there is none. */
export async function memberByExternalId(db: Db, externalId: string): Promise<KnownMember | undefined> {
  const [row] = await memberOfExternalId(db).execute({ externalId })
  if (!row) return undefined
  const { participantId, ...customer } = row
  return { customer, participantId }
}

/** Replaces the participant's customers by these, in this order. */
export async function setMembers(tx: Tx, participantId: string, customerIds: readonly string[]): Promise<void> {
  await releaseMembers(tx).execute({ participantId })
  for (const [position, customerId] of customerIds.entries()) {
    await upsertMember(tx).execute({ customerId, participantId, position })
  }
}

/** Notes a customer that was made for a participant whose creation failed. */
export async function orphanMember(tx: Tx, customerId: string): Promise<void> {
  await upsertMember(tx).execute({ customerId, participantId: null, position: null })
}

const customersOfParticipant = prepared((db) =>
  db
    .select(getTableColumns(customers))
    .from(members)
    .innerJoin(customers, eq(customers.id, members.customerId))
    .where(and(eq(members.participantId, param('participantId')), isNotNull(members.position)))
    .orderBy(asc(members.position)),
)
const memberOfExternalId = prepared((db) =>
  db
    .select({ ...getTableColumns(customers), participantId: members.participantId })
    .from(customers)
    .innerJoin(members, eq(members.customerId, customers.id))
    .where(eq(customers.externalId, param('externalId'))),
)
const releaseMembers = prepared((db) =>
  db
    .update(members)
    .set({ position: sql`null` })
    .where(eq(members.participantId, param('participantId'))),
)
const upsertMember = prepared((db) =>
  db
    .insert(members)
    .values(params(members))
    .onConflictDoUpdate({
      target: members.customerId,
      set: { participantId: sql`excluded.participant_id`, position: sql`excluded.position` },
    }),
)
