import {
  type Block,
  getAddress,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { getBlock, getTransaction, getTransactionCount } from 'viem/actions'
import type { Attempt, Loss, RecordedTaker } from '../network'
import type { ChainLook } from './chain-look'
import { isAnswered, type NodeClient } from './node-client'
import { findReceipt } from './receipts'

type Taker = Block<bigint, true, 'latest'>['transactions'][number]

/** The nodes, a look at their chain, and the local records of its transactions. */
export interface Seen {
  client: NodeClient
  look: ChainLook
  recorded: RecordedTaker
}

/**
 * The final transaction with a sender's nonce. Null while there is none. `hidden`: there is one that the node does not
 * return; then its not knowing ours proves nothing.
 */
export async function findTaker(seen: Seen, sender: string, nonce: number): Promise<Taker | 'hidden' | null> {
  const { client, look } = seen
  const address = getAddress(sender)
  const final = await look.final()
  if (!final) return null
  const countAt = (blockNumber: bigint) => getTransactionCount(client, { address, blockNumber })
  if ((await countAt(final.number)) <= nonce) return null
  const number = await firstBlockAbove(countAt, nonce, final.number)
  const isTaker = (each: Pick<Taker, 'from' | 'nonce'>) => getAddress(each.from) === address && each.nonce === nonce
  const taker = number === null ? null : await takerIn(seen, number, isTaker)
  return taker ?? (await recordedTaker(seen, sender, nonce, isTaker)) ?? 'hidden'
}

type IsTaker = (each: Pick<Taker, 'from' | 'nonce'>) => boolean

async function takerIn({ client, look }: Seen, blockNumber: bigint, isTaker: IsTaker): Promise<Taker | null> {
  const { hash, transactions } = await getBlock(client, { blockNumber, includeTransactions: true })
  if ((await look.standing({ blockNumber, blockHash: hash })) !== 'final') return null
  return transactions.find(isTaker) ?? null
}

/** A node without the state of such an old block still returns a transaction by its hash. */
async function recordedTaker(
  { client, look, recorded }: Seen,
  sender: string,
  nonce: number,
  isTaker: IsTaker,
): Promise<Taker | null> {
  const txHash = await recorded(sender, nonce)
  const receipt = txHash === null ? null : await findReceipt(client, txHash)
  if (!receipt || (await look.standing(receipt)) !== 'final') return null
  const transaction = (await getTransaction(client, { hash: receipt.transactionHash })) as Taker
  return isTaker(transaction) ? transaction : null
}

/**
 * Whether an order's attempts can still be included. They cannot when another transaction with their nonce is final;
 * when that one pays the same it is a replacement of ours without a record.
 */
export async function lossOf(seen: Seen, sender: string, attempts: readonly Attempt[]): Promise<Loss> {
  const [first] = attempts
  if (!first || first.nonce === null) return 'none'
  const taker = await findTaker(seen, sender, first.nonce)
  if (taker === null || taker === 'hidden' || attempts.some(({ txHash }) => txHash === taker.hash)) return 'none'
  const replaced = attempts.find((attempt) => isSamePayment(attempt, taker))
  if (!replaced) return 'lost'
  const replacement = asAttempt(taker, replaced)
  return replacement ? { replacement } : 'none'
}

function isSamePayment({ unsigned }: Attempt, taker: Taker): boolean {
  const { to, value = 0n, data = '0x' } = parseTransaction(unsigned as `0x02${string}`)
  return to?.toLowerCase() === taker.to?.toLowerCase() && value === taker.value && data === taker.input
}

/** Reconstructs an attempt from a transaction of the chain; null when that is impossible. */
function asAttempt(taker: Taker, { signers, nonce }: Attempt): Omit<Attempt, 'createdAt'> | null {
  const { chainId, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, input, r, s, yParity } = taker
  if (taker.type !== 'eip1559' || yParity === undefined) return null
  const said = { type: 'eip1559', chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, data: input }
  const transaction = said as TransactionSerializableEIP1559
  const signed = serializeTransaction(transaction, { r, s, yParity })
  if (keccak256(signed) !== taker.hash) return null
  const unsigned = serializeTransaction(transaction)
  return { unsigned, signed, signers, nonce, expiresAt: null, txHash: taker.hash }
}

/**
 * The first block after which the sender had sent more than `nonce` transactions: searched backwards in growing steps,
 * because most nodes keep only the state of the newest blocks. Null when the node does not have it any more.
 */
async function firstBlockAbove(
  countAt: (block: bigint) => Promise<number>,
  nonce: number,
  final: bigint,
): Promise<bigint | null> {
  let high = final
  let low = -1n
  for (let step = 1n; high > 0n; step *= 2n) {
    const earlier = final > step ? final - step : 0n
    const count = await countAt(earlier).catch(nullWhenForgotten)
    if (count === null) return null
    if (count <= nonce) {
      low = earlier
      break
    }
    high = earlier
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if ((await countAt(middle)) > nonce) high = middle
    else low = middle
  }
  return high
}

/** Null when the node answers that it has no state of such an old block. */
export function nullWhenForgotten(error: unknown): null {
  if (isAnswered(error)) return null
  throw error
}
