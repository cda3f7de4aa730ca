import { signTransaction } from '@bursar/contracts/wallet'
import { CallError } from '@bursar/http'
import { asOrder } from '../as-order'
import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain, Draft } from '../networks/network'
import type { SendRow } from './sends.table'

/** `refused` for good, or `open`: the wallet service is asked again. */
export type Signed = { attempt: Attempt } | { refused: string } | { open: string }

/** Has the wallet service sign a draft, and looks at what it signed. Never rejects for what that service answers. */
export async function sign(
  { client }: Pick<BlockchainDeps, 'client'>,
  chain: Chain,
  row: SendRow,
  draft: Draft,
): Promise<Signed> {
  const body = { orderId: row.id, network: row.network, signers: draft.signers, unsigned: draft.unsigned }
  try {
    const { signed } = await asOrder(row.id, () => client.call(signTransaction, { body }))
    const txHash = await chain.sending.hashOf(draft, signed)
    return { attempt: { ...draft, signed, txHash, createdAt: new Date() } }
  } catch (error) {
    if (!(error instanceof CallError)) return { open: error instanceof Error ? error.message : String(error) }
    const isRefused = error.problem === 'refused' && error.status === 422
    return isRefused ? { refused: `The wallet service refused: ${error.message}` } : { open: error.message }
  }
}
