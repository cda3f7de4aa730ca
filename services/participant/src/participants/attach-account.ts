import type { Account } from '@bursar/contracts/account'
import { eq, param, prepared, type Tx } from '@bursar/store'
import { applyChanges, readParticipant } from './participants'
import { participants } from './participants.table'

const fields = { OMNIBUS: 'omnibusAccountId', FEE_PAYER: 'feePayerAccountId' } as const

/** Notes that a participant got its omnibus or fee-payer account. Nothing happens when that is known, or it is gone. */
export async function attachAccount(tx: Tx, participantId: string, { id, type }: Account): Promise<void> {
  if (type !== 'OMNIBUS' && type !== 'FEE_PAYER') return
  const field = fields[type]
  const row = await readParticipant(tx, participantId)
  if (!row || row[field] === id) return
  if (row.live) await applyChanges(tx, row, { [field]: id }, new Date())
  // Not announced yet: the announcement will say it.
  else await setAccounts(tx).execute({ ...row, [field]: id })
}

const setAccounts = prepared((db) =>
  db
    .update(participants)
    .set({ omnibusAccountId: param('omnibusAccountId'), feePayerAccountId: param('feePayerAccountId') })
    .where(eq(participants.id, param('id'))),
)
