import { comparableAddress } from '@bursar/contracts/address'
import type { Tx } from '@bursar/store'
import { noteMovement } from '../movements/movements'
import { tokenKey } from '../networks/comparable'
import type { ChainTransfer } from '../networks/network'
import { findSendByHash } from '../sends/sends'
import type { SendRow } from '../sends/sends.table'
import type { TokenRow } from '../tokens/tokens.table'
import { findWatched, isBefore, type WatchedRow } from './watched'

/** Whom a transfer concerns, and in which token. */
export interface Concerned {
  payer: WatchedRow | null
  receiver: WatchedRow | null
  token: TokenRow | null
}

/**
 * Notes what a transfer moves at a portfolio's address without a deposit or a withdrawal of the ledger's: all that
 * leaves it but for the ledger's withdrawals, whoever's transaction it is, and what a transaction of its own brings.
 * Answers whether that one brought it: it is no deposit then.
 */
export async function noteMovements(
  tx: Tx,
  network: string,
  transfer: ChainTransfer,
  { payer, receiver, token }: Concerned,
): Promise<boolean> {
  if (!payer?.isPortfolio && !receiver?.isPortfolio) return false
  const send = await findSendByHash(tx, network, transfer.txHash)
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
      orderId: send?.id ?? null,
      block: transfer.block,
    })
  }
  if (payer?.isPortfolio && transfer.side !== 'in' && !isWithdrawal(send, payer, transfer)) {
    await note('out', payer, transfer.to)
  }
  if (!receiver?.isPortfolio || transfer.side === 'out' || !(await isOwn(tx, send, receiver))) return false
  await note('in', receiver, transfer.from)
  return true
}

/** What the ledger has had sent is booked as its withdrawal: that asset, of that payer. */
const isWithdrawal = (send: SendRow | null, { key }: WatchedRow, { contractAddress }: ChainTransfer): boolean =>
  send?.transactionData === null && send.sender === key && tokenKey(send.contractAddress) === tokenKey(contractAddress)

/** Whether a transaction was executed for the account itself. */
async function isOwn(tx: Tx, send: SendRow | null, { network, accountId }: WatchedRow): Promise<boolean> {
  if (send?.transactionData == null) return false
  const payer = await findWatched(tx, network, comparableAddress(send.fromAddress))
  return payer?.accountId === accountId
}
