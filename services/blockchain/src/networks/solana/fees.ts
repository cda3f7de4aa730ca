import type { Signature } from '@solana/kit'
import type { Attempt, Outcome } from '../network'
import type { SolanaRpc } from './solana-nodes'
import { findRecord } from './solana-source'

/** The outcomes with what the final ones cost. One whose record the node does not show yet is not final yet. */
export const withFees = (
  rpc: SolanaRpc,
  attempts: readonly Attempt[],
  outcomes: readonly Outcome[],
): Promise<Outcome[]> =>
  Promise.all(
    outcomes.map(async (outcome, i): Promise<Outcome> => {
      if (outcome.is !== 'confirmed' && outcome.is !== 'reverted') return outcome
      const record = await findRecord(rpc, attempts[i]?.txHash as Signature, 'finalized')
      if (!record?.meta) return { is: 'included' }
      const payer = record.transaction.message.accountKeys[0] ?? ''
      return { ...outcome, fee: { payer, amount: record.meta.fee } }
    }),
  )
