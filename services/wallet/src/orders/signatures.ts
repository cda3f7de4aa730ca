import { comparableAddress } from '@bursar/contracts/address'
import { asc, type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import type { OrderRow } from './orders'
import { signatures } from './signatures.table'

export type SignatureRow = typeof signatures.$inferSelect
/** What makes a signed transaction unique on its chain. */
export type Signature = Pick<SignatureRow, 'network' | 'sender' | 'nonce' | 'blockhash' | 'txHash'>

/** The signatures of an order, the first one first. */
export const signaturesOf = (db: Db, orderId: string): Promise<SignatureRow[]> => byOrder(db).execute({ orderId })

/** Keeps a signature under its number. False when there is one of this number: somebody else has signed the order. */
export async function keepSignature(
  tx: Tx,
  orderId: string,
  number: number,
  signature: Signature,
  signedAt: Date,
): Promise<boolean> {
  const kept = await insertSignature(tx).execute({ orderId, number, signedAt, ...signature })
  return kept.length > 0
}

/**
 * Whether at most one of the two can ever be mined. On EVM those of one nonce: a fee is raised so. Elsewhere only one
 * and the same transaction: two of one blockhash can both be mined.
 */
export const isEitherOr = ({ chain }: Pick<OrderRow, 'chain'>, one: Signature, other: Signature): boolean =>
  chain?.kind === 'evm'
    ? one.nonce === other.nonce && comparableAddress(one.sender) === comparableAddress(other.sender)
    : one.txHash === other.txHash

const byOrder = prepared((db) =>
  db
    .select()
    .from(signatures)
    .where(eq(signatures.orderId, param('orderId')))
    .orderBy(asc(signatures.number)),
)
const insertSignature = prepared((db) =>
  db.insert(signatures).values(params(signatures)).onConflictDoNothing().returning({ number: signatures.number }),
)
