import type { SearchHit } from '@bursar/contracts/search'
import { formatAmount } from '@bursar/money'
import type { Db } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { hashOf } from '../networks/forms'
import { findSendByHash } from '../sends/sends'
import { transfersOf } from '../transfers/known-transfers'

/** Finds a hash in the records of the named networks, usable or not: a transaction to an address of ours, or a send. */
export async function findHits({ store, networks }: BlockchainDeps, q: string): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for (const { name, form } of networks.named) {
    const txHash = hashOf(form, q)
    if (txHash === null) continue
    hits.push(...(await sendHits(store.read, name, txHash)), ...(await transferHits(store.read, name, txHash)))
  }
  return hits
}

async function sendHits(db: Db, network: string, txHash: string): Promise<SearchHit[]> {
  const send = await findSendByHash(db, network, txHash)
  if (!send) return []
  return [
    {
      kind: 'chain transaction',
      id: txHash,
      title: `Send of ${formatAmount(send.amount, send.decimals)} on ${network}`,
      detail: `To ${send.toAddress}`,
      status: send.status,
      at: send.createdAt.toISOString(),
    },
  ]
}

async function transferHits(db: Db, network: string, txHash: string): Promise<SearchHit[]> {
  const [row] = await transfersOf(db).execute({ network, txHash })
  if (!row || row.status === 'execution' || row.status === 'outgoing') return []
  const amount = row.decimals === null ? 'a token that is not known' : formatAmount(row.amount, row.decimals)
  return [
    {
      kind: 'chain transaction',
      id: txHash,
      title: `Pay-in of ${amount} on ${network}`,
      detail: `To ${row.toAddress}`,
      status: row.status,
      at: row.at.toISOString(),
    },
  ]
}
