import { comparableAddress } from '@bursar/contracts/address'
import type { SignedOrder } from '@bursar/contracts/wallet'
import { and, type Db, eq, insertAll, insertMissing, param, prepared, rowsBy, rowsOf, type Tx } from '@bursar/store'
import type { OrderRow } from './orders'
import { orders } from './orders.table'
import { signatures } from './signatures.table'

export type SignatureRow = typeof signatures.$inferSelect
/** What makes a signed transaction unique on its chain. */
export type Signature = Pick<SignatureRow, 'network' | 'sender' | 'nonce' | 'blockhash' | 'txHash'>

/** The signatures of an order, the first one first. */
export const signaturesOf = rowsBy(signatures, 'orderId', 'number')

/** The same for several orders, by order. */
export async function signaturesOfAll(db: Db, orderIds: readonly string[]): Promise<Map<string, SignatureRow[]>> {
  const rows = await byOrders(db, orderIds)
  rows.sort((one, other) => one.number - other.number)
  return Map.groupBy(rows, ({ orderId }) => orderId)
}

/** Stores signatures under numbers that are free. */
export const keepSignatures = insertAll(signatures)

/**
 * Stores a signature under its number. Returns false when the number is taken: another attempt has signed the order.
 */
export async function keepSignature(
  tx: Tx,
  orderId: string,
  number: number,
  signature: Signature,
  signedAt: Date,
): Promise<boolean> {
  return (await insertSignatures(tx, [{ orderId, number, signedAt, ...signature }])) > 0
}

/**
 * Whether at most one of the two can ever be mined. On EVM those of one nonce, as when a fee is raised. Elsewhere only
 * one and the same transaction: two of one blockhash can both be mined.
 */
export const isEitherOr = ({ chain }: Pick<OrderRow, 'chain'>, one: Signature, other: Signature): boolean =>
  chain?.kind === 'evm'
    ? one.nonce === other.nonce && comparableAddress(one.sender) === comparableAddress(other.sender)
    : one.txHash === other.txHash

/** The other transactions of which at most one and this one can be mined: those of its nonce, on EVM. */
export async function rivalsOf(db: Db, { network, sender, nonce, txHash }: Signature): Promise<Signature[]> {
  if (nonce === null) return []
  const rows = await signaturesOfNonce(db).execute({ network, sender, nonce })
  return rows
    .filter(({ chain, ...row }) => chain?.kind === 'evm' && row.txHash !== txHash)
    .map(({ chain: _, ...row }) => row)
}

/** The order that a transaction was signed for; null for none. */
export async function signedOrder(db: Db, network: string, txHash: string): Promise<SignedOrder | null> {
  const [row] = await orderByHash(db).execute({ network, txHash })
  // A signature that was brought back after a restore without its order is not enough.
  return row?.payer == null ? null : { ...row, payer: row.payer }
}

const byOrders = rowsOf(signatures, 'orderId')
const insertSignatures = insertMissing(signatures)
/** Rarely used, for transactions that may still be mined: no index either. */
const signaturesOfNonce = prepared((db) =>
  db
    .select({
      network: signatures.network,
      sender: signatures.sender,
      nonce: signatures.nonce,
      blockhash: signatures.blockhash,
      txHash: signatures.txHash,
      chain: orders.chain,
    })
    .from(signatures)
    .innerJoin(orders, eq(orders.id, signatures.orderId))
    .where(
      and(
        eq(signatures.nonce, param('nonce')),
        eq(signatures.network, param('network')),
        eq(signatures.sender, param('sender')),
      ),
    ),
)
/** Rarely used, for transactions without a send: no index, which each signature would have to write. */
const orderByHash = prepared((db) =>
  db
    .select({
      id: orders.id,
      kind: orders.kind,
      accountId: orders.accountId,
      payer: orders.payer,
      contractAddress: orders.contractAddress,
    })
    .from(signatures)
    .innerJoin(orders, eq(orders.id, signatures.orderId))
    .where(and(eq(signatures.txHash, param('txHash')), eq(signatures.network, param('network'))))
    .limit(1),
)
