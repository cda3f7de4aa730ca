import { type Revocation, SessionRevoked } from '@bursar/contracts/identity-manager'
import { changedRecords, emit, params, prepared, type Tx } from '@bursar/store'
import { revocations } from './sessions.table'

type RevocationRow = typeof revocations.$inferSelect

/** What the gateway follows. */
export const revocationRecords = changedRecords('revocation', revocations)

/** Records that a session ended while its access tokens may live, and announces it. */
export async function revoke(tx: Tx, row: RevocationRow): Promise<void> {
  await insertRevocation(tx).execute(row)
  const mark = await revocationRecords.mark(tx, row.id)
  await emit(tx, SessionRevoked, { ...toRevocation(row), ...mark }, row.revokedAt)
}

/** The revocation as it goes out. */
export const toRevocation = ({ id, userId, revokedAt, until }: RevocationRow): Revocation => ({
  id,
  userId,
  revokedAt: revokedAt.toISOString(),
  until: until.toISOString(),
})

const insertRevocation = prepared((db) => db.insert(revocations).values(params(revocations)))
