import { comparableAddress } from '@bursar/contracts/address'
import { and, asc, type Db, eq, gt, insertMissing, lte, type OpenStore, param, prepared, type Tx } from '@bursar/store'
import type { Chain, ChainTransfer, Fee } from '../networks/network'
import { findWatched } from '../watching/watched'
import { recordFee } from './movements'
import { untoldFees } from './untold-fees.table'

type UntoldFee = typeof untoldFees.$inferSelect

/** Transactions per pass. */
const most = 100

/** Stores the transactions whose sends were lost by a restore: their fees are published once their block is final. */
export async function keepUntold(
  tx: Tx,
  network: string,
  transfers: readonly ChainTransfer[],
  own: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  const rows = transfers.flatMap(({ txHash, block }) => {
    const orderId = own.get(txHash)?.id
    return orderId === undefined ? [] : [{ network, txHash, orderId, block }]
  })
  await insert(tx, rows)
}

interface FeeDeps {
  store: OpenStore
  clock: () => Date
  restored: { isAny: boolean }
}

/** Publishes the fees of those in blocks up to this one. Transactions that the node does not report as final stay. */
export async function tellFees({ store, clock, restored }: FeeDeps, chain: Chain, block: number): Promise<void> {
  if (!restored.isAny) return
  const { name: network } = chain.settings
  const due = await upTo(store.read).execute({ network, block })
  const costs = await finalCosts(
    chain,
    due.map(({ txHash }) => txHash),
  )
  if (costs.size === 0) return
  await store.commit(async (tx) => {
    for (const { txHash, orderId } of due) {
      const fee = costs.get(txHash)
      if (fee === undefined) continue
      if (fee) await noteFee(tx, chain, { txHash, orderId, fee }, clock())
      await remove(tx).execute({ network, txHash })
    }
  })
}

/** Whether a transaction's fee is still unpublished. */
export async function findUntold(db: Db, network: string, txHash: string): Promise<UntoldFee | null> {
  const [row] = await byHash(db).execute({ network, txHash })
  return row ?? null
}

/** Whether any fee is still unpublished. */
export const hasUntold = async (db: Db): Promise<boolean> => (await any(db).execute()).length > 0

/** Deletes those in blocks above this one: they are read again. */
export const forgetUntold = (tx: Tx, network: string, block: number): Promise<unknown> =>
  removeAbove(tx).execute({ network, block })

/** The fees of final transactions that are not attempts here, by hash. Null: no fee. */
export async function finalCosts(chain: Chain, hashes: readonly string[]): Promise<Map<string, Fee | null>> {
  const costs = new Map<string, Fee | null>()
  if (hashes.length === 0) return costs
  const outcomes = await chain.sending.outcomes(hashes.map((txHash) => ({ txHash })))
  for (const [i, txHash] of hashes.entries()) {
    const outcome = outcomes[i]
    if (outcome?.is === 'confirmed' || outcome?.is === 'reverted') costs.set(txHash, outcome.fee ?? null)
  }
  return costs
}

/** Records the fee of a final transaction at the paying address. */
export async function noteFee(
  tx: Tx,
  { settings }: Chain,
  { txHash, orderId, fee: { payer, amount } }: { txHash: string; orderId: string | null; fee: Fee },
  now: Date,
): Promise<void> {
  const { name: network, nativeDecimals: decimals } = settings
  const accountId = (await findWatched(tx, network, comparableAddress(payer)))?.accountId ?? null
  await recordFee(tx, { network, txHash, accountId, address: payer, amount, decimals, orderId }, now)
}

const ofNetwork = eq(untoldFees.network, param('network'))
const ofHash = and(ofNetwork, eq(untoldFees.txHash, param('txHash')))
const insert = insertMissing(untoldFees)
const remove = prepared((db) => db.delete(untoldFees).where(ofHash))
const byHash = prepared((db) => db.select().from(untoldFees).where(ofHash))
const any = prepared((db) => db.select({ txHash: untoldFees.txHash }).from(untoldFees).limit(1))
const upTo = prepared((db) =>
  db
    .select()
    .from(untoldFees)
    .where(and(ofNetwork, lte(untoldFees.block, param('block'))))
    .orderBy(asc(untoldFees.block))
    .limit(most),
)
const removeAbove = prepared((db) => db.delete(untoldFees).where(and(ofNetwork, gt(untoldFees.block, param('block')))))
