import { and, asc, type Db, eq, getTableColumns, isNotNull, param, params, prepared, sql, type Tx } from '@bursar/store'
import type { CustomerRow } from '../customers/customers'
import { customers } from '../customers/customers.table'
import { members } from './members.table'

/** The customers of a participant, in its order. */
export const membersOf = (connection: Db, participantId: string): Promise<CustomerRow[]> =>
  customersOfParticipant(connection).execute({ participantId })

/** A customer that is, or once was, some participant's. */
export interface KnownMember {
  customer: CustomerRow
  participantId: string | null
}

/** Whose customer an external id is; undefined when it is nobody's here. */
export async function memberByExternalId(connection: Db, externalId: string): Promise<KnownMember | undefined> {
  const [row] = await memberOfExternalId(connection).execute({ externalId })
  if (!row) return undefined
  const { participantId, ...customer } = row
  return { customer, participantId }
}

/** Makes these customers, in this order, all that the participant has. */
export async function setMembers(tx: Tx, participantId: string, customerIds: readonly string[]): Promise<void> {
  await releaseMembers(tx).execute({ participantId })
  for (const [position, customerId] of customerIds.entries()) {
    await upsertMember(tx).execute({ customerId, participantId, position })
  }
}

/** Notes a customer that was made for a participant that there will not be. */
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
