import type { WithdrawalState } from '@bursar/contracts/wallet'
import { isCallError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Order } from '../movements/read-work'
import { normalNetwork } from '../networks/networks'
import type { Attempt } from './begin-attempt'
import type { Wallet } from './wallet-calls'

/** The outcome of an attempt to carry a withdrawal out. */
export type Finding =
  | { is: 'confirmed'; txHash: string }
  /** The wallet service has recorded it as failed: it will never be paid. */
  | { is: 'failed'; reason: string }
  /** The wallet service has it; `broadcast` once the chain may have it, too. */
  | { is: 'accepted'; broadcast: boolean; txHash: string | null; waitsFor: string | null }
  /** The outcome is unknown: it may or may not have been carried out. */
  /** `isAway`: the wallet service has given no answer, to none of the withdrawals. */
  | { is: 'unknown'; reason: string; isAway?: true }

/**
 * Makes the call to the wallet service that the attempt allows. A withdrawal has failed only if that service has
 * recorded so; a refused call is `unknown`, because it records nothing (contracts/wallet.ts). Never rejects for an
 * answer.
 */
export async function askWallet(wallet: Wallet, attempt: Attempt): Promise<Finding> {
  const { id } = attempt.order
  try {
    const state = await stateOf(wallet, attempt)
    if (state) return findingOf(state, id)
    const reason = 'reason' in attempt ? attempt.reason : null
    return { is: 'unknown', reason: reason ?? 'The wallet service does not know the withdrawal' }
  } catch (error) {
    if (!isCallError(error)) throw error
    const { problem, status, message } = error
    const reason = problem === 'refused' ? `The wallet service answered ${status}: ${message}` : message
    return { is: 'unknown', reason, ...((problem !== 'refused' || status === 503) && { isAway: true }) }
  }
}

async function stateOf(wallet: Wallet, attempt: Attempt): Promise<WithdrawalState | null> {
  const { id } = attempt.order
  switch (attempt.ask) {
    case 'order':
      return await wallet.start(toWithdrawal(attempt.order))
    case 'record': {
      const known = await wallet.find(id)
      if (known || attempt.reason !== null) return known
      // The wallet service was restored since: the order is sent again, and is not paid before it is known whether it
      // was paid already.
      return await wallet.start({ ...toWithdrawal(attempt.order), wasAccepted: true })
    }
    case 'refusal':
      return await wallet.refuse(id, attempt.reason)
  }
}

function findingOf(state: WithdrawalState, asked: string): Finding {
  const { id, status, txHash, reason, waitsFor = null } = state
  if (id !== asked) return { is: 'unknown', reason: 'The wallet service answered for another withdrawal' }
  switch (status) {
    case 'confirmed':
      return txHash === null
        ? { is: 'unknown', reason: 'The wallet service confirmed the withdrawal without its hash' }
        : { is: 'confirmed', txHash }
    case 'failed':
      return { is: 'failed', reason: reason ?? 'The wallet service could not carry it out' }
    case 'broadcast':
      return { is: 'accepted', broadcast: true, txHash, waitsFor }
    case 'accepted':
      return { is: 'accepted', broadcast: false, txHash: null, waitsFor }
  }
}

/** A withdrawal in the form of its order. */
export const toWithdrawal = ({ assetId: _, returns: __, destinationAddress, ...order }: Order) => ({
  ...order,
  network: normalNetwork(order.network),
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: destinationAddress ?? '',
})
