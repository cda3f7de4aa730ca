import { getWithdrawal, startWithdrawal, type WalletWithdrawalState } from '@bursar/contracts/wallet'
import { CallError, type Client, inRequest } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Order } from './read-work'

/** What an attempt to carry a withdrawal out has shown. */
export type Finding =
  | { is: 'confirmed'; txHash: string }
  /** Definitely not carried out. */
  | { is: 'refused'; reason: string }
  /** The wallet service has it; `broadcast` once the chain may have it, too. */
  | { is: 'accepted'; broadcast: boolean; txHash: string | null }
  /** Nothing is known: it may or may not have been carried out. */
  | { is: 'open'; reason: string }

/**
 * Tells the wallet service of a withdrawal, or asks how it stands once that service has said that it has it: what it
 * may have broadcast is never begun anew, whatever it has forgotten since. Never rejects for what the service answers.
 */
export async function askWallet(client: Client, order: Order): Promise<Finding> {
  const { id, work } = order
  const isAccepted = work.acceptedAt !== null
  try {
    const state = isAccepted
      ? await stateOf(client, id)
      : await asTransaction(id, () => client.call(startWithdrawal, { body: toWithdrawal(order), idempotencyKey: id }))
    return findingOf(state, id)
  } catch (error) {
    if (!isAnswered(error, 422) || isAccepted) return openAfter(error)
    return await refusalOf(client, id, error.message)
  }
}

/**
 * A refusal is definite only when the wallet service has no withdrawal of this id: it also refuses to begin one anew
 * that it took in an attempt whose answer was lost, should the asset have been changed since.
 */
async function refusalOf(client: Client, id: string, reason: string): Promise<Finding> {
  try {
    return findingOf(await stateOf(client, id), id)
  } catch (error) {
    return isAnswered(error, 404) ? { is: 'refused', reason } : openAfter(error)
  }
}

const stateOf = (client: Client, id: string): Promise<WalletWithdrawalState> =>
  asTransaction(id, () => client.call(getWithdrawal, { params: { id } }))

/** No request causes these calls: they are found under the transaction's own id. */
const asTransaction = <T>(id: string, call: () => Promise<T>): Promise<T> =>
  inRequest({ id, path: '', route: null, body: '' }, call)

const isAnswered = (error: unknown, status: number): error is CallError =>
  error instanceof CallError && error.problem === 'refused' && error.status === status

/** After a call whose failure says nothing of the withdrawal. Throws what no call fails with. */
function openAfter(error: unknown): Finding {
  if (!(error instanceof CallError)) throw error
  const { problem, status, message } = error
  return { is: 'open', reason: problem === 'refused' ? `The wallet service answered ${status}: ${message}` : message }
}

function findingOf({ id, status, txHash, reason }: WalletWithdrawalState, asked: string): Finding {
  if (id !== asked) return { is: 'open', reason: 'The wallet service answered for another withdrawal' }
  switch (status) {
    case 'confirmed':
      return txHash === null
        ? { is: 'open', reason: 'The wallet service confirmed the withdrawal without its hash' }
        : { is: 'confirmed', txHash }
    case 'failed':
      return { is: 'refused', reason: reason ?? 'The wallet service could not carry it out' }
    case 'unknown':
      return { is: 'accepted', broadcast: true, txHash }
    default:
      return { is: 'accepted', broadcast: txHash !== null, txHash }
  }
}

const toWithdrawal = ({ work: _, destinationAddress, ...order }: Order) => ({
  ...order,
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: destinationAddress ?? '',
})
