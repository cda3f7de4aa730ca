import type { ExecutionToAuthorise } from '@bursar/contracts/core-ledger'
import type { OrderRow } from '../orders/orders'
import { requestedTransaction } from './requested-transaction'

/** What a portfolio's transaction takes from its address, as far as it can be decoded. */
export type Takes = Pick<ExecutionToAuthorise, 'takes' | 'isOpaque'>

/** The takes of an execution's order, including the maximum fee of its transaction. */
export function takesOf({ transactionData }: OrderRow, mostFee: bigint): Takes {
  const { to, value, data } = requestedTransaction(transactionData ?? {})
  const transfer = tokenTransfer(data)
  const coins = value + mostFee
  return {
    takes: [
      ...(coins > 0n ? [{ contractAddress: null, amount: coins.toString() }] : []),
      ...(transfer && transfer.amount > 0n ? [{ contractAddress: to, amount: transfer.amount.toString() }] : []),
    ],
    isOpaque: data !== '0x' && transfer === null,
  }
}

/** `transfer(address,uint256)` of ERC-20: its selector and two words of 32 bytes, the first with an address. */
const transferCall = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/

/** Decodes a call that is a transfer; null for any other call. */
export function tokenTransfer(data: string): { to: string; amount: bigint } | null {
  const [, to, amount] = transferCall.exec(data.toLowerCase()) ?? []
  return to && amount ? { to: `0x${to}`, amount: BigInt(`0x${amount}`) } : null
}
