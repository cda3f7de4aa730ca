import { reread } from '../../api/query'
import { core } from '../../api/services'
import type { ActInput } from '../../ui/act'
import type { TransactionType } from './kind'

/** What a person decides about a transaction. */
export type Decision = 'approve' | 'reject' | 'fail' | 'retry' | 'return' | 'release' | 'cover'

/** Sends a decision; true if it was the first of two. */
export async function decide(
  decision: Decision,
  { id, type }: { id: string; type: TransactionType },
  { note, headers }: Pick<ActInput, 'note' | 'headers'>,
): Promise<boolean> {
  const kind = type === 'DEPOSIT' ? 'deposit' : 'withdrawal'
  const sent = { params: { path: { id } }, headers }
  const noted = { ...sent, body: { note: note || null } }
  const reasoned = { ...sent, body: { reason: note } }
  const { response } = await (decision === 'approve'
    ? core.POST(`/transactions/{id}/approve-frozen-${kind}`, noted)
    : decision === 'retry'
      ? core.POST('/transactions/{id}/retry', noted)
      : decision === 'reject'
        ? core.POST(`/transactions/{id}/reject-frozen-${kind}`, reasoned)
        : core.POST(`/transactions/{id}/${decision}`, reasoned))
  return response.status === 202
}

/** Reads all data about transactions again, and what they leave missing. */
export const readAgain = (): void => reread(['transactions'], ['reconciliation'])
