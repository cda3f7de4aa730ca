import { messageOf } from '@bursar/contracts/log'
import { behindAnother, signTransaction, signTransactions } from '@bursar/contracts/signing'
import { asRequest, type Client, gathered, isCallError } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain, Draft } from '../networks/network'
import type { SendRow } from './sends.table'

const calls = 4

/** Concurrent signatures share one call. */
export const createSigning = (client: Client): BlockchainDeps['signing'] =>
  gathered({
    one: (body) => client.call(signTransaction, { body }),
    many: async (items) => (await client.call(signTransactions, { body: { items } })).items,
    calls,
  })

/**
 * `refused` permanently, or `open`: to be retried. `isUnknown`: the wallet service has no such order. `isHeldUp`: it
 * waits for its own reason, not for the previous nonce.
 */
export type Signed = { attempt: Attempt } | { refused: string } | Open
interface Open {
  open: string
  isUnknown?: boolean
  isHeldUp?: boolean
}

/**
 * Requests the wallet service's signature of a draft, and verifies it. Never rejects because of that service's answer.
 */
export async function sign(
  { signing, clock }: Pick<BlockchainDeps, 'signing' | 'clock'>,
  chain: Chain,
  row: SendRow,
  draft: Draft,
): Promise<Signed> {
  const body = { orderId: row.id, network: row.network, signers: draft.signers, unsigned: draft.unsigned }
  try {
    const { signed } = await asRequest(row.id, () => signing(body))
    const txHash = await chain.sending.hashOf(draft, signed)
    return { attempt: { ...draft, signed, txHash, createdAt: clock() } }
  } catch (error) {
    if (!isCallError(error)) return { open: messageOf(error) }
    const status = error.problem === 'refused' ? error.status : null
    if (status === 422) return { refused: `The wallet service refused: ${error.message}` }
    const isHeldUp = status === 409 && !error.message.endsWith(behindAnother)
    return { open: error.message, isUnknown: status === 404, isHeldUp }
  }
}
