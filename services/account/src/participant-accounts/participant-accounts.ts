import { type Db, newId, type Tx } from '@bursar/store'
import { type AccountRow, accountsOfParticipant, addAccount } from '../accounts/accounts'

/** The types of which a participant has one account each. */
export type ParticipantAccountType = 'OMNIBUS' | 'FEE_PAYER'

const names: Record<ParticipantAccountType, string> = { OMNIBUS: 'Omnibus account', FEE_PAYER: 'Fee payer account' }

/** The participant's account of that type; undefined before it is created. */
export async function findParticipantAccount(
  db: Db,
  participantId: string,
  type: ParticipantAccountType,
): Promise<AccountRow | undefined> {
  const own = await accountsOfParticipant(db).execute({ participantId })
  return own.find((account) => account.type === type)
}

/** The participant's account of that type, created when it has none. */
export async function requireParticipantAccount(
  tx: Tx,
  participantId: string,
  type: ParticipantAccountType,
  now: Date,
): Promise<AccountRow> {
  const known = await findParticipantAccount(tx, participantId, type)
  if (known) return known
  const row: AccountRow = {
    id: newId(),
    customerId: null,
    customerExternalId: null,
    walletAccountId: null,
    accountExternalId: null,
    type,
    status: 'active',
    name: names[type],
    customerName: null,
    participantId,
    createdAt: now,
  }
  await addAccount(tx, row)
  return row
}
