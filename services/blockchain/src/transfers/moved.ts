import { comparableAddress } from '@bursar/contracts/address'
import type { Tx } from '@bursar/store'
import { noteMovement } from '../movements/movements'
import { tokenKey } from '../networks/comparable'
import type { ChainTransfer } from '../networks/network'
import type { OwnOrders } from '../sends/own-orders'
import { findSendByHash } from '../sends/sends'
import type { TokenRow } from '../tokens/tokens.table'
import { findWatched, isBefore, type WatchedRow } from '../watching/watched'

/** The parties and the token of a transfer. */
interface Concerned {
  payer: WatchedRow | null
  receiver: WatchedRow | null
  token: TokenRow | null
  /** The orders of transactions without sends here. */
  own: OwnOrders
}

/** The order that a transaction carries out. */
interface Cause {
  id: string
  isExecution: boolean
  /** Comparable. */
  payer: string
  contractAddress: string | null
}

/**
 * Records the movement of a transfer at a portfolio's address that is neither a deposit nor a withdrawal of the ledger:
 * all outgoing amounts except the ledger's withdrawals, by any transaction, and incoming amounts of its own
 * transactions. Returns whether it came from such an own transaction: then it is not a deposit.
 */
export async function noteMovements(
  tx: Tx,
  network: string,
  transfer: ChainTransfer,
  { payer, receiver, token, own }: Concerned,
): Promise<boolean> {
  if (!payer?.isPortfolio && !receiver?.isPortfolio) return false
  const cause = await causeOf(tx, network, transfer.txHash, own)
  async function note(kind: 'in' | 'out', { accountId, address, watchedAt }: WatchedRow, counterparty: string) {
    if (transfer.amount <= 0n || isBefore(transfer.at, watchedAt)) return
    await noteMovement(tx, {
      kind,
      network,
      txHash: transfer.txHash,
      place: `${kind}:${transfer.logIndex}`,
      accountId,
      address,
      counterparty,
      contractAddress: transfer.contractAddress,
      amount: transfer.amount,
      decimals: token?.decimals ?? null,
      orderId: cause?.id ?? null,
      block: transfer.block,
    })
  }
  if (payer?.isPortfolio && transfer.side !== 'in' && !isWithdrawal(cause, payer, transfer)) {
    await note('out', payer, transfer.to)
  }
  if (!receiver?.isPortfolio || transfer.side === 'out' || !(await isOwn(tx, cause, receiver))) return false
  await note('in', receiver, transfer.from)
  return true
}

async function causeOf(tx: Tx, network: string, txHash: string, own: OwnOrders): Promise<Cause | null> {
  const send = await findSendByHash(tx, network, txHash)
  if (send) {
    const { id, transactionData, sender, contractAddress } = send
    return { id, isExecution: transactionData !== null, payer: sender, contractAddress }
  }
  const order = own.get(txHash)
  if (!order) return null
  const { id, kind, payer, contractAddress } = order
  return { id, isExecution: kind === 'execution', payer: comparableAddress(payer), contractAddress }
}

/** Whether it is the ledger's own withdrawal, which is already booked: same asset and payer. */
const isWithdrawal = (cause: Cause | null, { key }: WatchedRow, { contractAddress }: ChainTransfer): boolean =>
  cause?.isExecution === false && cause.payer === key && tokenKey(cause.contractAddress) === tokenKey(contractAddress)

/** Whether a transaction was executed for the account itself. */
async function isOwn(tx: Tx, cause: Cause | null, { network, accountId }: WatchedRow): Promise<boolean> {
  if (!cause?.isExecution) return false
  const payer = await findWatched(tx, network, cause.payer)
  return payer?.accountId === accountId
}
