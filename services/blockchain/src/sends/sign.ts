import { behindAnother, signTransaction, signTransactions } from '@bursar/contracts/signing'
import { asRequest, type Client, gathered, isCallError } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain, Draft } from '../networks/network'
import type { SendRow } from './sends.table'

const calls = 4

/** What is to be signed at the same time goes in one call. */
export const createSigning = (client: Client): BlockchainDeps['signing'] =>
  gathered({
    one: (body) => client.call(signTransaction, { body }),
    many: async (items) => (await client.call(signTransactions, { body: { items } })).items,
    calls,
  })

/**
 * `refused` for good, or `open`: the wallet service is asked again. `isUnknown`: it knows no such order. `isHeldUp`: it
 * waits for something of its own, and not for the nonce before.
 */
export type Signed = { attempt: Attempt } | { refused: string } | Open
interface Open {
  open: string
  isUnknown?: boolean
  isHeldUp?: boolean
}

/** Has the wallet service sign a draft, and looks at what it signed. Never rejects for what that service answers. */
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
    if (!isCallError(error)) return { open: error instanceof Error ? error.message : String(error) }
    const status = error.problem === 'refused' ? error.status : null
    if (status === 422) return { refused: `The wallet service refused: ${error.message}` }
    const isHeldUp = status === 409 && !error.message.endsWith(behindAnother)
    return { open: error.message, isUnknown: status === 404, isHeldUp }
  }
}
