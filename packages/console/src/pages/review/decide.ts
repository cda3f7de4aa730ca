import { queries } from '../../api/query'
import { core } from '../../api/services'
import type { ActInput } from '../../ui/act'
import type { TransactionType } from '../transactions/kind'

interface Decidable {
  id: string
  type: TransactionType
}

const kindOf = ({ type }: Decidable) => (type === 'DEPOSIT' ? 'deposit' : 'withdrawal')

/** Approves; `proposed` if it was the first of two approvals. */
export async function approve(
  of: Decidable,
  { note, idempotencyKey }: Pick<ActInput, 'note' | 'idempotencyKey'>,
): Promise<'approved' | 'proposed'> {
  const { response } = await core.POST(`/transactions/{id}/approve-frozen-${kindOf(of)}`, {
    params: { path: { id: of.id } },
    body: { note: note || null },
    headers: { 'idempotency-key': idempotencyKey },
  })
  return response.status === 202 ? 'proposed' : 'approved'
}

export async function reject(
  of: Decidable,
  { note, idempotencyKey }: Pick<ActInput, 'note' | 'idempotencyKey'>,
): Promise<void> {
  await core.POST(`/transactions/{id}/reject-frozen-${kindOf(of)}`, {
    params: { path: { id: of.id } },
    body: { reason: note },
    headers: { 'idempotency-key': idempotencyKey },
  })
}

/** Reads all data about transactions again. */
export const readAgain = (): void => void queries.invalidateQueries({ queryKey: ['transactions'] })
