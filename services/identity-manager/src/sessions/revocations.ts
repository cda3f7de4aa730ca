import { type Revocation, SessionRevoked } from '@bursar/contracts/identity-manager'
import { asc, changedRecords, deleteBy, emit, insertInto, lt, param, prepared, type Tx } from '@bursar/store'
import { revocations } from './sessions.table'

const dayMs = 24 * 60 * 60 * 1000
/** Rows that one commit deletes. */
const chunk = 200

type RevocationRow = typeof revocations.$inferSelect

/** The change feed that the gateway follows. */
export const revocationRecords = changedRecords('revocation', revocations)

/** Records and publishes that a session ended while its access tokens may be valid. */
export async function revoke(tx: Tx, row: RevocationRow): Promise<void> {
  await insertRevocation(tx).execute(row)
  const mark = await revocationRecords.mark(tx, row.id)
  await emit(tx, SessionRevoked, { ...toRevocation(row), ...mark }, row.revokedAt)
}

/** Deletes some revocations a day after their tokens expired. Returns true when there may be more. */
export async function deleteOldRevocations(tx: Tx, now: Date): Promise<boolean> {
  const old = await oldRevocations(tx).execute({ before: new Date(now.getTime() - dayMs), chunk })
  for (const { id } of old) {
    await deleteRevocation(tx).execute({ id })
    await revocationRecords.forget(tx, id)
  }
  return old.length === chunk
}

/** The revocation as the API returns it. */
export const toRevocation = ({ id, userId, revokedAt, until }: RevocationRow): Revocation => ({
  id,
  userId,
  revokedAt: revokedAt.toISOString(),
  until: until.toISOString(),
})

const insertRevocation = insertInto(revocations)
const oldRevocations = prepared((db) =>
  db
    .select({ id: revocations.id })
    .from(revocations)
    .where(lt(revocations.until, param('before')))
    .orderBy(asc(revocations.until))
    .limit(param('chunk')),
)
const deleteRevocation = deleteBy(revocations, 'id')
