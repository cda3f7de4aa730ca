import { formatAmount } from '@bursar/money'
import { getAddress, type Hex, parseTransaction, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { call, estimateGas, estimateMaxPriorityFeePerGas, getBalance, getBlock } from 'viem/actions'
import { tokenKey } from '../comparable'
import type { Attempt, Drafted, DraftRequest, NetworkSettings, SendOrder } from '../network'
import { balanceData, readBalance, saysFalse } from './erc20'
import type { EvmNodes } from './evm-nodes'
import type { NodeClient } from './node-client'
import type { Seen } from './nonce-taken'
import { nonceGiver } from './nonces'
import { type Payload, payloadOf } from './payload'
import { findReceipt } from './receipts'
import { revertReason } from './revert-reason'

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** A fee sufficient for six consecutive full blocks, each of which raises the base fee by an eighth. */
export async function suggestFees(client: NodeClient): Promise<Fees> {
  const [block, tip] = await Promise.all([getBlock(client), estimateMaxPriorityFeePerGas(client)])
  return { maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + tip, maxPriorityFeePerGas: tip }
}

/**
 * The spendable amounts of each token ('' for the native coin): in total, and without amounts promised to other orders.
 */
interface Purse {
  held: Map<string, bigint>
  promised: Map<string, bigint>
}

/**
 * Builds the orders' transactions. Orders that cannot be paid, or would revert, are refused before they take a nonce.
 */
export async function draftEvm(
  settings: NetworkSettings,
  nodes: EvmNodes,
  seen: Seen,
  request: DraftRequest,
): Promise<Drafted[]> {
  const { client } = nodes
  const { sender, orders, inFlight } = request
  const address = getAddress(sender)
  const nextNonce = await nonceGiver(nodes, seen, address, request)
  const [fees, looks, purse] = await Promise.all([
    suggestFees(client),
    Promise.all(orders.map((order) => look(client, order))),
    openPurse(client, address, orders, inFlight),
  ])
  return orders.map((order, i): Drafted => {
    const simulated = looks[i] ?? 'it was not looked at'
    if (typeof simulated === 'string') return { refused: simulated }
    const { payload, gas, isEstimated } = simulated
    const problem = spend(purse, order, payload.value + gas * fees.maxFeePerGas, settings)
    if (problem) return problem
    if (!isEstimated) return { waiting: unestimated }
    const nonce = nextNonce()
    const transaction: TransactionSerializableEIP1559 = {
      type: 'eip1559',
      chainId: Number(settings.chainId),
      nonce,
      gas,
      ...fees,
      to: payload.to,
      value: payload.value,
      data: payload.data,
    }
    return {
      draft: {
        unsigned: serializeTransaction(transaction),
        signers: [order.fromAddress],
        nonce,
        expiresAt: null,
      },
    }
  })
}

/** Coins that came in between: with a guess of its gas nodes might refuse it for good. */
const unestimated = 'its gas has not been estimated: the node had too few coins there'

/** A transaction as the node simulated it. `isEstimated`: false where the node lacked its sender's coins. */
interface Simulated {
  payload: Payload
  gas: bigint
  isEstimated: boolean
}

/** Simulates the transaction on the node: its gas, or why it would never succeed. */
async function look(client: NodeClient, order: SendOrder): Promise<Simulated | string> {
  if (order.feePayer !== null && order.feePayer.toLowerCase() !== order.fromAddress.toLowerCase()) {
    return 'The fee is paid by the sender on this network: there can be no other fee payer'
  }
  const payload = payloadOf(order)
  if (typeof payload === 'string') return payload
  const { to, value, data } = payload
  const account = getAddress(order.fromAddress)
  const isTokenTransfer = order.contractAddress !== null && !order.transactionData
  try {
    // Without a fee: whether it can be paid is checked later, together with all promises.
    const [gas, answer] = await Promise.all([
      estimateGas(client, { account, to, data, value }),
      isTokenTransfer ? call(client, { account, to, data }) : null,
    ])
    // It would succeed, and move nothing.
    if (answer && saysFalse(answer.data)) return 'the token refuses the transfer: its contract answers false'
    return withGas(payload, gas, limitOf(gas, isTokenTransfer))
  } catch (error) {
    const reason = revertReason(error)
    if (reason !== null) return reason
    // The purse reports the shortage.
    if (/insufficient funds/i.test(String(error))) return { payload, gas: transferGas, isEstimated: false }
    throw error
  }
}

/** The gas of a single transaction on most networks (EIP-7825). */
export const mostGas = 2n ** 24n

/**
 * The payload with its gas limit: that of a portfolio, or the usual one. Nodes take no transaction with too little gas,
 * or too much: signed with one, the address could send nothing ever again, since all its later nonces would wait.
 */
function withGas(payload: Payload, needed: bigint, usual: bigint): Simulated | string {
  const most = needed > mostGas ? needed : mostGas
  const gas = payload.gas ?? (usual > most ? most : usual)
  if (gas < needed) return `transactionData.gas is ${gas}, and at least ${needed} are needed`
  if (gas > most) return `transactionData.gas is ${gas}, above the ${most} of a transaction`
  return { payload, gas, isEstimated: true }
}

/** The gas of a plain transfer. */
const transferGas = 21_000n

/**
 * What a transaction may use of gas, by the estimate. A token transfer costs 17,100 more when its receiver has none of the
 * token left by then (EIP-2929: a slot that is 0 is written for 20,000, another for 2,900): addresses that are swept
 * would refuse payments.
 */
export const limitOf = (estimate: bigint, isTokenTransfer: boolean): bigint =>
  (estimate * 6n) / 5n + (isTokenTransfer ? emptiedReceiverGas : 0n)

const emptiedReceiverGas = 22_000n

async function openPurse(
  client: NodeClient,
  address: Hex,
  orders: readonly SendOrder[],
  inFlight: DraftRequest['inFlight'],
): Promise<Purse> {
  // Before the balances: an order that gets into a block in between is still promised then, and not in them twice.
  const receipts = await Promise.all(inFlight.map(({ attempt }) => findReceipt(client, attempt.txHash)))
  const purse: Purse = { held: new Map([['', await getBalance(client, { address })]]), promised: new Map() }
  const contracts = new Set(orders.flatMap(({ contractAddress }) => contractAddress ?? []))
  await Promise.all(
    [...contracts].map(async (contract) => {
      const { data } = await call(client, { to: getAddress(contract), data: balanceData(address) })
      purse.held.set(tokenKey(contract), readBalance(data))
    }),
  )
  for (const [i, { order, attempt }] of inFlight.entries()) if (!receipts[i]) promise(purse, order, costOf(attempt))
  return purse
}

/** The maximum cost of an attempt in the native coin. */
export function costOf({ unsigned }: Pick<Attempt, 'unsigned'>): bigint {
  // Of an attempt from before a restore only the hash is known, and that it was final.
  if (unsigned === '') return 0n
  const { value = 0n, gas = 0n, maxFeePerGas = 0n } = parseTransaction(unsigned as `0x02${string}`)
  return value + gas * maxFeePerGas
}

function promise({ promised }: Purse, { contractAddress, amount, transactionData }: SendOrder, cost: bigint): void {
  promised.set('', (promised.get('') ?? 0n) + cost)
  if (contractAddress === null || transactionData) return
  const key = tokenKey(contractAddress)
  promised.set(key, (promised.get(key) ?? 0n) + amount)
}

/** Takes an order's needs from the purse, or reports a shortage: absolute, or temporary because of other orders. */
function spend(purse: Purse, order: SendOrder, cost: bigint, settings: NetworkSettings): Drafted | null {
  const needs: [key: string, amount: bigint, decimals: number, of: string][] = [
    ['', cost, settings.nativeDecimals, settings.nativeCode],
  ]
  if (order.contractAddress !== null && !order.transactionData) {
    needs.push([tokenKey(order.contractAddress), order.amount, order.decimals, 'of the token'])
  }
  for (const [key, amount, decimals, of] of needs) {
    const held = purse.held.get(key) ?? 0n
    const words = `${formatAmount(held, decimals)} ${of}, and ${formatAmount(amount, decimals)} is needed`
    if (held < amount)
      return { refused: `insufficient funds: ${order.fromAddress} holds ${words}${key === '' ? ' with the fee' : ''}` }
    if (held - (purse.promised.get(key) ?? 0n) < amount)
      return { waiting: `${order.fromAddress} holds ${words}, but others come first` }
  }
  promise(purse, order, cost)
  return null
}
