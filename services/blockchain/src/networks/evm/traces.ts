import { numberToHex } from 'viem'
import { WrongNodeError } from '../node-failure'
import type { FullBlock } from './logged'
import { type NodeClient, refusalOf } from './node-client'
import { findReceipt } from './receipts'

/** A payment in the native coin within a transaction: by a contract call, creation or self-destruct. */
export interface InnerPayment {
  txHash: string
  /** Its index among all calls of the transaction, in the order of their start; the transaction itself is 0. */
  place: number
  from: string
  to: string
  value: bigint
}

/** Traces the calls within transactions; null if the node cannot. */
export type Tracer = (client: NodeClient, block: FullBlock) => Promise<InnerPayment[]>

/** The node supports traces, but has none of this block. */
export class UntoldBlockError extends WrongNodeError {
  constructor({ number }: Pick<FullBlock, 'number'>, how = '') {
    super(`does not tell what happened in block ${number}${how}`)
  }
}

/** Detects by this block how the node traces. */
export async function findTracer(client: NodeClient, block: FullBlock): Promise<Tracer | null> {
  let untold: UntoldBlockError | null = null
  for (const tracer of [byFrames, byList]) {
    try {
      await tracer(client, block)
      return tracer
    } catch (error) {
      if (error instanceof UntoldBlockError) untold = error
      else if (!isUnknown(error)) throw error
    }
  }
  if (untold) throw untold
  return null
}

/** Whether the node lacks the method, or denies access to it, as opposed to an error about the block. */
function isUnknown(error: unknown): boolean {
  const refusal = refusalOf(error)
  return refusal !== null && (unknownCodes.has(refusal.code) || /method|tracer/i.test(refusal.message))
}
const unknownCodes = new Set([-32_601, -32_600, -32_602, -32_004])

interface Frame {
  type: string
  from: string
  to?: string
  value?: string
  error?: string
  calls?: Frame[]
}

/** Geth's format: a tree of calls for each transaction. */
async function byFrames(client: NodeClient, block: FullBlock): Promise<InnerPayment[]> {
  const { number, hash: blockHash, transactions } = block
  const params = [numberToHex(number), { tracer: 'callTracer' }]
  const answer = (await client.request({ method: 'debug_traceBlockByNumber', params } as never)) as {
    txHash?: string
    result?: Frame
  }[]
  const listed = new Set<string>(transactions.map(({ hash }) => hash))
  const frames = new Map(answer.map(({ txHash, result }, i) => [txHash ?? transactions[i]?.hash, result]))
  const unlisted = [...frames.keys()].filter((hash) => hash === undefined || !listed.has(hash))
  if (frames.size < answer.length || frames.size - unlisted.length < listed.size) throw new UntoldBlockError(block)
  // One that the node does not list is of the block by its receipt.
  const receipts = await Promise.all(unlisted.map(async (hash) => (hash ? await findReceipt(client, hash) : null)))
  if (receipts.some((receipt) => receipt?.blockHash !== blockHash)) throw new UntoldBlockError(block)
  return [...frames].flatMap(([hash = '', result]) => {
    if (!result) throw new UntoldBlockError(block)
    return innerOf(result, hash)
  })
}

/** Calls that move value themselves; a delegated call shows its caller's value. */
const moving = /^(CALL|CREATE2?|SELFDESTRUCT)$/

/** A reverted call moved nothing, nor did its inner calls. */
function innerOf(top: Frame, txHash: string): InnerPayment[] {
  const found: InnerPayment[] = []
  let place = 0
  function walk({ type, from, to, value = '0x0', error, calls = [] }: Frame, isReverted: boolean): void {
    const isDone = !isReverted && error === undefined
    const own = place++
    if (isDone && own > 0 && to && moving.test(type) && BigInt(value) > 0n) {
      found.push({ txHash, place: own, from, to, value: BigInt(value) })
    }
    for (const call of calls) walk(call, !isDone)
  }
  walk(top, false)
  return found
}

interface ListedCall {
  type: string
  action: { callType?: string; from?: string; to?: string; value?: string; [name: string]: string | undefined }
  result?: { address?: string } | null
  error?: string
  traceAddress: number[]
  transactionHash?: string | null
  blockHash: string
}

/** Parity's format, also of Erigon and Nethermind: a list of calls for the whole block. */
async function byList(client: NodeClient, { number, hash }: FullBlock): Promise<InnerPayment[]> {
  const answer = (await client.request({
    method: 'trace_block',
    params: [numberToHex(number)],
  } as never)) as ListedCall[]
  if (!answer.every(({ blockHash }) => blockHash === hash)) throw new WrongNodeError('traced another block')
  const byTransaction = Map.groupBy(
    answer.filter(({ transactionHash }) => transactionHash),
    ({ transactionHash }) => transactionHash ?? '',
  )
  return [...byTransaction].flatMap(([txHash, calls]) => {
    const reverted = calls.filter(({ error }) => error !== undefined).map(({ traceAddress }) => traceAddress)
    return calls.flatMap((call, place): InnerPayment[] => {
      const isReverted = reverted.some((above) => above.every((step, i) => call.traceAddress[i] === step))
      const paid = place === 0 || isReverted ? null : paymentOf(call)
      return paid && paid.value > 0n ? [{ txHash, place, ...paid }] : []
    })
  })
}

function paymentOf({ type, action, result }: ListedCall): Pick<InnerPayment, 'from' | 'to' | 'value'> | null {
  const { from = '', to = '', value = '0x0', callType, address = '', refundAddress = '', balance = '0x0' } = action
  if (type === 'suicide') return { from: address, to: refundAddress, value: BigInt(balance) }
  if (type === 'create') return { from, to: result?.address ?? '', value: BigInt(value) }
  return type === 'call' && callType === 'call' ? { from, to, value: BigInt(value) } : null
}
