import { type Tx, updateBy } from '@bursar/store'
import { heldParty } from '../banks/held-party'
import { fail } from '../errors'
import { checkBankDetails } from '../fields/bank-codes'
import { writeHistory } from './history'
import { hashAfter } from './move-payment'
import { type PaymentRow, paymentRecords } from './payments'
import type { FieldChange } from './payments.model'
import { payments } from './payments.table'
import type { WithdrawalChanges } from './requests.model'
import { moves } from './states'

/**
 * Changes the given details, and records their old values in the history. The description may change until the payment
 * has ended. A known hash cannot change. The destination of a withdrawal may change only while it is PENDING, because
 * later somebody has reviewed it, and only while its participant is neither paused, offboarded nor deleted. Fails with
 * 409 otherwise.
 */
export async function changeDetails(
  tx: Tx,
  payment: PaymentRow,
  changes: WithdrawalChanges,
  by: string | null,
  now: Date,
): Promise<PaymentRow> {
  const row: PaymentRow = {
    ...payment,
    description: changes.description === undefined ? payment.description : changes.description,
    transactionHash: await hashAfter(tx, payment, changes.transactionHash),
    bankDetails: changes.destinationAccount
      ? checkBankDetails(changes.destinationAccount, payment.currency)
      : payment.bankDetails,
    updatedAt: now,
  }
  const changed = differences(payment, row)
  if (changed.length === 0) return payment
  requireOpenTo(payment, changed)
  await requireNoneHeld(tx, payment, changed)
  await updateDetails(tx).execute(row)
  await writeHistory(tx, [{ row, fromStatus: row.status, by, comment: null, changes: changed, now }])
  await paymentRecords.mark(tx, row.id)
  return row
}

function requireOpenTo({ id, type, status }: PaymentRow, changed: FieldChange[]): void {
  const has = (field: string) => changed.some((change) => change.field === field)
  if (has('destinationAccount') && status !== 'PENDING') {
    throw fail('CONFLICT', { message: `Transaction ${id} is ${status}: its destinationAccount can no longer change` })
  }
  if (has('description') && moves[type][status].length === 0) {
    throw fail('CONFLICT', { message: `Transaction ${id} is ${status}: its description can no longer change` })
  }
}

async function requireNoneHeld(tx: Tx, { id, fromParticipantId }: PaymentRow, changed: FieldChange[]): Promise<void> {
  if (!changed.some(({ field }) => field === 'destinationAccount')) return
  const held = await heldParty(tx, fromParticipantId)
  if (!held) return
  throw fail('CONFLICT', {
    message: `The participant ${held.name} of transaction ${id} is ${held.state}: its destinationAccount cannot change`,
  })
}

const shown = {
  description: (row: PaymentRow) => row.description,
  transactionHash: (row: PaymentRow) => row.transactionHash,
  destinationAccount: ({ bankDetails }: PaymentRow) =>
    bankDetails && [bankDetails.accountNumber, bankDetails.routingNumber, bankDetails.bankName].map(quoted).join(', '),
}

/** Two accounts never look the same: what differs is changed by how it is shown. */
const quoted = (text: string): string => (/[,"]/.test(text) ? JSON.stringify(text) : text)

const differences = (before: PaymentRow, after: PaymentRow): FieldChange[] =>
  Object.entries(shown)
    .map(([field, show]) => ({ field, before: show(before), after: show(after) }))
    .filter((change) => change.before !== change.after)

const updateDetails = updateBy(payments, 'id', ['description', 'transactionHash', 'bankDetails', 'updatedAt'])
