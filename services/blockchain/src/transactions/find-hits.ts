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
  return send
    ? [hitOf(txHash, `Send of ${formatAmount(send.amount, send.decimals)} on ${network}`, send, send.createdAt)]
    : []
}

async function transferHits(db: Db, network: string, txHash: string): Promise<SearchHit[]> {
  const [row] = await transfersOf(db).execute({ network, txHash })
  if (!row || row.status === 'execution' || row.status === 'outgoing') return []
  const amount = row.decimals === null ? 'a token that is not known' : formatAmount(row.amount, row.decimals)
  return [hitOf(txHash, `Pay-in of ${amount} on ${network}`, row, row.at)]
}

const hitOf = (id: string, title: string, of: { toAddress: string; status: string }, at: Date): SearchHit => ({
  kind: 'chain transaction',
  id,
  title,
  detail: `To ${of.toAddress}`,
  status: of.status,
  at: at.toISOString(),
})
