import { CustomerOwned, type CustomerOwner } from '@bursar/contracts/participant'
import {
  and,
  asc,
  changedRecords,
  type Db,
  desc,
  emit,
  eq,
  getTableColumns,
  gt,
  inArray,
  inChunks,
  isNotNull,
  ne,
  param,
  prepared,
  putAll,
  queryAmong,
  rowBy,
  rowsOf,
  type SQL,
  sql,
  type Tx,
  updateBy,
} from '@bursar/store'
import type { CustomerRow } from '../customers/customers'
import { customers } from '../customers/customers.table'
import { fail } from '../errors'
import { joinSaga } from '../sagas/saga'
import { members } from './members.table'

/** The change feed of customers' owners. An owner never changes. */
export const ownerRecords = changedRecords('customer-owner', members)

export function toOwner({ id, participantId }: typeof members.$inferSelect): CustomerOwner {
  if (participantId === null) throw new Error(`Customer ${id} has no owner`)
  return { customerId: id, participantId }
}

/** Customers read at a time: no body names more of them, but a participant may have created many, one by one. */
export const together = 1000

/** The customers of a participant, in its order, a thousand at a time. */
export const membersOf = (db: Db, participantId: string): AsyncGenerator<MemberRow[]> =>
  inChunks(({ after, limit }) => customersOfParticipant(db).execute({ participantId, after, limit }), {
    size: together,
    start: -1,
    keyOf: ({ position }) => position,
  })

/** The place of the participant's last customer; -1 for none. */
export async function lastPosition(db: Db, participantId: string): Promise<number> {
  const [last] = await lastMember(db).execute({ participantId })
  return last?.position ?? -1
}

/** A customer, and its place among the participant's. */
type MemberRow = CustomerRow & { position: number }

/** A customer's externalId is that of another customer. */
export const externalIdTaken = (externalId: string) =>
  fail('CONFLICT', { message: `A customer with externalId ${externalId} already exists` })

/** Fails (409) when one of these customers is another participant's: it names the first one. */
export async function refuseOthers(db: Db, participantId: string, customerIds: readonly (string | null)[]) {
  const ids = customerIds.filter((id) => id !== null)
  const rows = await ownedByAnother(db, ids, { participantId })
  const first = ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])[0]
  if (first) throw externalIdTaken(first.externalId)
}

/** Replaces the participant's customers by these, in this order, with an event for each new one. */
export async function setMembers(tx: Tx, participantId: string, customerIds: readonly string[]): Promise<void> {
  const known = await membersWithIds(tx, customerIds)
  const own = new Set(known.filter((member) => member.participantId === participantId).map(({ id }) => id))
  await releaseMembers(tx).execute({ participantId, position: null })
  await putMembers(
    tx,
    customerIds.map((id, position) => ({ id, participantId, position })),
  )
  const fresh = customerIds.filter((id) => !own.has(id))
  await announceOwner(tx, participantId, fresh)
}

async function announceOwner(tx: Tx, participantId: string, customerIds: readonly string[]): Promise<void> {
  const marks = await ownerRecords.markAll(tx, customerIds)
  for (const [i, mark] of marks.entries()) {
    await emit(tx, CustomerOwned, { customerId: customerIds[i] as string, participantId, ...mark })
  }
}

/**
 * Adds a customer, as the last one, to the participant that created it, with an event, also while a change of the
 * participant is under way. A customer with an owner keeps it.
 */
export async function addMember(tx: Tx, participantId: string, customerId: string): Promise<void> {
  const [added] = await insertMember(tx).execute({ id: customerId, participantId })
  if (!added) return
  await joinSaga(tx, participantId, customerId)
  await announceOwner(tx, participantId, [customerId])
}

/** The owner of a customer, while the customer is among the participant's; undefined for none. */
export async function ownerOf(db: Db, customerId: string): Promise<CustomerOwner | undefined> {
  const row = await presentMember(db, customerId)
  return row && toOwner(row)
}

/** Records a customer that was created for a participant whose creation failed. */
export async function orphanMember(tx: Tx, customerId: string): Promise<void> {
  await putMembers(tx, [{ id: customerId, participantId: null, position: null }])
}

const customersOfParticipant = prepared((db) =>
  db
    // The condition on the place leaves out those that have none.
    .select({ ...getTableColumns(customers), position: sql`${members.position}` as SQL<number> })
    .from(members)
    .innerJoin(customers, eq(customers.id, members.id))
    .where(and(eq(members.participantId, param('participantId')), gt(members.position, param('after'))))
    .orderBy(asc(members.position))
    .limit(param('limit')),
)
const lastMember = prepared((db) =>
  db
    .select({ position: members.position })
    .from(members)
    .where(and(eq(members.participantId, param('participantId')), isNotNull(members.position)))
    .orderBy(desc(members.position))
    .limit(1),
)
/**
 * The customers with these external ids that are, or were, a participant's; `participantId` is null when the participant's
 * creation failed.
 */
export const membersWithExternalIds = queryAmong(
  (externalIds) => (db) =>
    db
      .select({ ...getTableColumns(customers), participantId: members.participantId })
      .from(customers)
      .innerJoin(members, eq(members.id, customers.id))
      .where(inArray(customers.externalId, externalIds)),
)
const ownedByAnother = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: members.id, externalId: customers.externalId })
      .from(members)
      .innerJoin(customers, eq(customers.id, members.id))
      .where(
        and(
          inArray(members.id, ids),
          isNotNull(members.participantId),
          ne(members.participantId, param('participantId')),
        ),
      ),
)
const membersWithIds = rowsOf(members, 'id')
const releaseMembers = updateBy(members, 'participantId', ['position'], isNotNull(members.position))
const presentMember = rowBy(members, 'id', isNotNull(members.position))
const insertMember = prepared((db) =>
  db
    .insert(members)
    .values({
      id: param('id'),
      participantId: param('participantId'),
      position: sql`(select coalesce(max(position), -1) + 1 from members where participant_id = ${param('participantId')})`,
    })
    .onConflictDoNothing()
    .returning({ id: members.id }),
)
const putMembers = putAll(members, ['id'], ['participantId', 'position'])
