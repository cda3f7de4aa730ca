import type { Payment } from '../src/payments/payments.model'
import type { TestTransactionManager } from './harness'

type Fields = Record<string, unknown>

/** The destination of the tests' withdrawals. */
export const destinationAccount = {
  accountNumber: '9876543210',
  routingNumber: '021000021',
  bankName: 'Atlantic Trust',
}

/** POSTs a deposit of 100 USD and returns its record. */
export const deposit = async (manager: TestTransactionManager, participantBankId: string, more: Fields = {}) =>
  await made(manager, '/deposit', { amount: '100', currency: 'USD', participantBankId, ...more })

/** POSTs a withdrawal of 100 USD and returns its record. */
export const withdrawal = async (manager: TestTransactionManager, participantBankId: string, more: Fields = {}) =>
  await made(manager, '/withdrawal', { amount: '100', currency: 'USD', participantBankId, destinationAccount, ...more })

/** POSTs a transfer of 100 USD and returns its record. */
export const transfer = async (
  manager: TestTransactionManager,
  fromParticipantBankId: string,
  toParticipantBankId: string,
  more: Fields = {},
) =>
  await made(manager, '/transfer', {
    amount: '100',
    currency: 'USD',
    fromParticipantBankId,
    toParticipantBankId,
    ...more,
  })

/** POSTs and returns the created record; throws for any other answer. */
export async function made(manager: TestTransactionManager, path: string, body: Fields): Promise<Payment> {
  return (await manager.create<{ data: Payment }>(path, body)).data
}

/** Takes a withdrawal or transfer through these statuses. */
export async function through(
  manager: TestTransactionManager,
  path: '/transfer' | '/withdrawal',
  id: string,
  ...statuses: string[]
): Promise<void> {
  for (const status of statuses) {
    const answer = await manager.put(`${path}/${id}`, { status })
    if (answer.status !== 200) throw new Error(`${status} was refused: ${JSON.stringify(answer.body)}`)
  }
}
