import type { Hex, TransactionSerializable } from 'viem'
import type { OrderRow } from '../orders/orders'
import { requestedTransaction } from './requested-transaction'

const payable = new Set(['legacy', 'eip2930', 'eip1559'])

/** An unsigned EVM transaction that matches its order. */
interface EvmTransaction {
  /** What the key signs. */
  hash: Uint8Array
  nonce: number
  /** Its maximum fee, in wei. */
  mostFee: bigint
  /** The transaction with the signature (recovery bit, r, s), ready to be broadcast, and its hash. */
  sign(signature: Uint8Array): { signed: string; txHash: string }
}

/** Parses an unsigned transaction; returns the problem if it does not match its order. */
export async function readEvmTransaction(
  unsigned: string,
  order: OrderRow,
  mostFee: bigint,
): Promise<EvmTransaction | { problem: string }> {
  const viem = await import('viem/utils')
  const tx = parse(viem, unsigned)
  if (!tx || viem.serializeTransaction(tx) !== unsigned.toLowerCase())
    return { problem: 'it is no unsigned transaction' }
  const problem = headProblem(tx, order, mostFee) ?? contentProblem(viem, tx, order)
  if (problem !== null) return { problem }
  return {
    hash: viem.hexToBytes(viem.keccak256(unsigned as Hex)),
    nonce: tx.nonce ?? 0,
    mostFee: feeOf(tx),
    sign(signature) {
      const [recovery = 0] = signature
      const r = viem.bytesToHex(signature.subarray(1, 33))
      const s = viem.bytesToHex(signature.subarray(33, 65))
      const signed = viem.serializeTransaction(tx, { r, s, v: 27n + BigInt(recovery), yParity: recovery })
      return { signed, txHash: viem.keccak256(signed) }
    },
  }
}

/** The nonce of an unsigned transaction, whatever its other content; null if it cannot be parsed. */
export async function evmNonce(unsigned: string): Promise<number | null> {
  if (!unsigned.startsWith('0x')) return null
  const tx = parse(await import('viem/utils'), unsigned)
  return tx && (tx.nonce ?? 0)
}

type Viem = typeof import('viem/utils')

function parse(viem: Viem, unsigned: string): TransactionSerializable | null {
  try {
    const { r, s, v, yParity, ...tx } = viem.parseTransaction(unsigned as Hex) as TransactionSerializable & {
      r?: unknown
      s?: unknown
      v?: unknown
      yParity?: unknown
    }
    return r === undefined && s === undefined && yParity === undefined ? (tx as TransactionSerializable) : null
  } catch {
    return null
  }
}

function headProblem(tx: TransactionSerializable, { chain }: OrderRow, mostFee: bigint): string | null {
  if (!payable.has(tx.type ?? '')) return `its type is ${tx.type}`
  if (tx.chainId !== chain?.chainId) return `its chain is ${tx.chainId}, not ${chain?.chainId}`
  const fee = feeOf(tx)
  return fee > mostFee ? `its fee may be ${fee} wei, above WALLET_MAX_EVM_FEE` : null
}

/** Its maximum fee. */
const feeOf = (tx: TransactionSerializable): bigint => (tx.gas ?? 0n) * (tx.maxFeePerGas ?? tx.gasPrice ?? 0n)

function contentProblem(viem: Viem, tx: TransactionSerializable, order: OrderRow): string | null {
  const wanted = wantedContent(viem, order)
  if (tx.to?.toLowerCase() !== wanted.to.toLowerCase()) return `it goes to ${tx.to}, not ${wanted.to}`
  if ((tx.value ?? 0n) !== wanted.value) return `its value is ${tx.value ?? 0n}, not ${wanted.value}`
  if ((tx.data ?? '0x').toLowerCase() !== wanted.data.toLowerCase()) return 'its data is not that of the order'
  return null
}

const erc20Transfer = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const

/** The required content of an order's transaction: a portfolio's own, a token transfer, or a native payment. */
function wantedContent(viem: Viem, order: OrderRow): { to: string; value: bigint; data: string } {
  const { transactionData, contractAddress, destination, amount } = order
  if (transactionData !== null) return requestedTransaction(transactionData)
  if (contractAddress === null) return { to: destination, value: amount, data: '0x' }
  const args = [destination.toLowerCase() as Hex, amount] as const
  return { to: contractAddress, value: 0n, data: viem.encodeFunctionData({ abi: erc20Transfer, args }) }
}
