import { getWithdrawal, startWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { CallError, type Client } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Order } from './read-work'

/** What an attempt to carry a withdrawal out has shown. */
export type Finding =
  | { is: 'confirmed'; txHash: string }
  /** The wallet service has recorded it as failed: it is not paid, and never will be. */
  | { is: 'failed'; reason: string }
  /** The wallet service has it; `broadcast` once the chain may have it, too. */
  | { is: 'accepted'; broadcast: boolean; txHash: string | null }
  /** Nothing is known: it may or may not have been carried out. */
  | { is: 'unknown'; reason: string }

/**
 * Orders a withdrawal of the wallet service, or asks for its record once that service has accepted it: what may have been
 * broadcast is never ordered again. Any refusal is `unknown`: it records nothing (contracts/wallet.ts). Never rejects for
 * what the service answers.
 */
export async function askWallet(client: Client, order: Order): Promise<Finding> {
  const { id, work } = order
  try {
    const state =
      work.acceptedAt === null
        ? await client.call(startWithdrawal, { body: toWithdrawal(order), idempotencyKey: id })
        : await client.call(getWithdrawal, { params: { id } })
    return findingOf(state, id)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { problem, status, message } = error
    const reason = problem === 'refused' ? `The wallet service answered ${status}: ${message}` : message
    return { is: 'unknown', reason }
  }
}

export function findingOf({ id, status, txHash, reason }: WithdrawalState, asked: string): Finding {
  if (id !== asked) return { is: 'unknown', reason: 'The wallet service answered for another withdrawal' }
  switch (status) {
    case 'confirmed':
      return txHash === null
        ? { is: 'unknown', reason: 'The wallet service confirmed the withdrawal without its hash' }
        : { is: 'confirmed', txHash }
    case 'failed':
      return { is: 'failed', reason: reason ?? 'The wallet service could not carry it out' }
    case 'broadcast':
      return { is: 'accepted', broadcast: true, txHash }
    case 'accepted':
      return { is: 'accepted', broadcast: false, txHash: null }
  }
}

const toWithdrawal = ({ work: _, destinationAddress, ...order }: Order) => ({
  ...order,
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: destinationAddress ?? '',
})
