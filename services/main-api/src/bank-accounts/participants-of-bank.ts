import { and, type Db, eq, param, prepared } from '@bursar/store'
import { bankAccounts } from './bank-accounts.table'

/** Whether a participant has an account at a custodian bank: it is one of the bank's own then. */
export async function isOfBank(db: Db, participantId: string, custodianBankId: string): Promise<boolean> {
  const rows = await accountAt(db).execute({ participantId, custodianBankId })
  return rows.length > 0
}

const accountAt = prepared((db) =>
  db
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .where(
      and(
        eq(bankAccounts.participantId, param('participantId')),
        eq(bankAccounts.custodianBankId, param('custodianBankId')),
      ),
    )
    .limit(1),
)
