import { formatAmount } from '@bursar/money'
import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { tokenKey } from '../networks/comparable'
import type { Chain, ChainTransaction } from '../networks/network'
import type { Networks } from '../networks/networks'
import { networksKnowing } from '../networks/simulated/blocks'
import { findSendByHash } from '../sends/sends'
import { readTokens } from '../tokens/tokens'
import type { NetworkTransaction } from './transactions.model'

/**
 * A transaction by its hash, on any network. Fails with 404 when none has it, and when a network that may
 * have it cannot be reached (502, 503, 504).
 */
export async function findNetworkTransaction(db: Db, networks: Networks, text: string): Promise<NetworkTransaction> {
  const names = new Set([...(await networksKnowing(db, text)), ...networks.usable()])
  let failure: unknown = null
  for (const name of names) {
    const chain = await networks.open(name)
    const txHash = chain.hash(text)
    if (txHash === null) continue
    try {
      const found = await chain.find(txHash)
      const send = await findSendByHash(db, name, txHash)
      if (found) return await present(db, chain, found, send?.id ?? null)
      if (send) return await present(db, chain, onItsWay(txHash), send.id)
    } catch (error) {
      failure = error
    }
  }
  if (failure !== null) throw failure
  throw fail('NOT_FOUND')
}

/** A transaction of ours that no node returns yet. */
const onItsWay = (txHash: string): ChainTransaction => ({
  txHash,
  status: 'pending',
  reason: null,
  block: null,
  confirmations: 0,
  at: null,
  from: [],
  to: [],
  transfers: [],
})

async function present(
  db: Db,
  { settings }: Chain,
  found: ChainTransaction,
  orderId: string | null,
): Promise<NetworkTransaction> {
  const tokens = new Map((await readTokens(db, settings.name)).map((token) => [token.key, token]))
  return {
    transactionHash: found.txHash,
    network: settings.name,
    simulated: settings.kind === 'simulated',
    status: found.status,
    reason: found.reason,
    blockNumber: found.block,
    confirmations: found.confirmations,
    timestamp: found.at?.toISOString() ?? null,
    orderId,
    transfers: found.transfers.map(({ from, to, contractAddress, amount, ...transfer }) => {
      const token = tokens.get(tokenKey(contractAddress))
      const decimals = token?.decimals ?? transfer.decimals
      return {
        fromAddress: from,
        toAddress: to,
        currency: token?.code ?? null,
        contractAddress,
        amount: decimals === null ? amount.toString() : formatAmount(amount, decimals),
        decimals,
      }
    }),
  }
}
