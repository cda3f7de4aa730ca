import { type BankAccountRecord, bankAccountChanges, type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, folded, replica } from '@bursar/store'
import { bankAccounts } from './bank-accounts.table'
import { pfis } from './pfis.table'

export type PfiRow = typeof pfis.$inferSelect
export type BankAccountRow = typeof bankAccounts.$inferSelect

/** How the replicas of participants are kept. */
export const pfiReplicas = {
  changes: pfiChanges,
  replica: replica('pfi', pfis),
  toRow: ({ id, name, status }: PfiRecord, { epoch, version }: ChangeMark): PfiRow => ({
    id,
    name,
    nameKey: folded(name),
    status,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof pfiChanges.answer, PfiRow>

/** How the replicas of their bank accounts are kept. */
export const bankAccountReplicas = {
  changes: bankAccountChanges,
  replica: replica('bank-account', bankAccounts),
  toRow: (account: BankAccountRecord, { epoch, version }: ChangeMark): BankAccountRow => ({
    id: account.id,
    participantId: account.participantId,
    accountNumber: account.accountNumber,
    routingNumber: account.routingNumber,
    currency: account.currency,
    custodianBankId: account.custodianBankId,
    custodianBankName: account.custodianBankName,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof bankAccountChanges.answer, BankAccountRow>
