import { type BankAccountRecord, bankAccountChanges, type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import { type ParticipantRecord, participantChanges } from '@bursar/contracts/participant'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, folded, replica } from '@bursar/store'
import { bankAccounts } from './bank-accounts.table'
import { participants } from './participants.table'
import { pfis } from './pfis.table'

export type PfiRow = typeof pfis.$inferSelect
export type BankAccountRow = typeof bankAccounts.$inferSelect

type ParticipantRow = typeof participants.$inferSelect

/** Stores which participants were deleted. */
export const participantReplicas = {
  changes: participantChanges,
  replica: replica('participant', participants),
  toRow: ({ id, deletedAt }: ParticipantRecord, { epoch, version }: ChangeMark): ParticipantRow => ({
    id,
    deletedAt: deletedAt === null ? null : new Date(deletedAt),
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof participantChanges.answer, ParticipantRow>

/** Stores the replicas of participants. */
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

/** Stores the replicas of their bank accounts. */
export const bankAccountReplicas = {
  changes: bankAccountChanges,
  replica: replica('bank-account', bankAccounts),
  toRow: (account: BankAccountRecord, { epoch, version }: ChangeMark): BankAccountRow => ({
    ...account,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof bankAccountChanges.answer, BankAccountRow>
