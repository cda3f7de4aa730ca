import { isDeepStrictEqual } from 'node:util'
import type { Static } from '@bursar/contracts/schema'
import type { PortfolioExecuted, PortfolioExecution } from '@bursar/contracts/wallet'
import { sha256 } from '@bursar/http'
import { byKey, type Claimed, type Db, newId, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { carryOut } from '../orders/carry-out'
import { addOrder, findOrder, type OrderRow, orderQueue } from '../orders/orders'
import { orders } from '../orders/orders.table'
import { blank } from '../orders/withdrawals'
import { RequestedTransactionError, requestedTransaction } from '../signing/requested-transaction'
import { tokenTransfer } from '../signing/takes'
import { hotAddress } from '../wallets/deployment-holdings'
import { portfolioNetwork, portfolioWallet } from './portfolio-wallet'

/** Below the five seconds that the core ledger waits for the answer. */
const waitMs = 4000
const lookMs = 100

/**
 * Sends a portfolio's transaction, and waits until it is sent: then the hash is known. A repeated key returns the same
 * execution. 400 for a transaction that cannot be read, 422 for one that the chain refuses (with its reason), 504 when
 * it is not sent in time; then it stays ordered, and a repeat with the same key continues to wait.
 */
export async function execute(
  deps: WalletDeps,
  input: Static<typeof PortfolioExecution>,
  key: string | null,
): Promise<Static<typeof PortfolioExecuted>> {
  const wallet = await portfolioWallet(deps, input.accountId, input.chainId)
  const hot = hotAddress(deps.keys, wallet.network)
  const { to, value } = readRequest(input.transactionData, wallet.address, hot)
  // A repeat is answered also while the blockchain service is away.
  if (!(await orderOf(deps.store.read, key))) await deps.networks.renew()
  const { name, kind, chainId, nativeCode, nativeDecimals } = await portfolioNetwork(deps, input.chainId)
  // The chain is another network's by now: a repeat finds that one's wallet.
  if (name !== wallet.network) throw fail('UPSTREAM_ERROR')
  const now = deps.clock()
  // Carried out here at once; after a crash, by the worker.
  const leasedUntil = new Date(now.getTime() + orderQueue.leaseMs)
  const wanted: Claimed<OrderRow> = {
    ...blank(key === null ? newId() : idOf(key), now),
    kind: 'execution',
    accountId: wallet.accountId,
    network: name,
    assetCode: nativeCode,
    amount: value,
    decimals: nativeDecimals,
    destination: to,
    transactionData: input.transactionData,
    payer: wallet.address,
    chain: { kind, chainId },
    dueAt: leasedUntil,
    leasedUntil,
    requestKey: key,
  }
  const { order, isNew } = await deps.store.commit((tx) => orderOnce(tx, wanted))
  if (isNew) await carryOut(deps, [wanted])
  return await sentInTime(deps, order.id, performance.now() + waitMs)
}

/**
 * The same key has the same id also after a restore that lost its order: the blockchain service answers what became of it, and the
 * ledger and the run file know it. Above all ids of a time, it is never held as an older one.
 */
function idOf(key: string): string {
  const hex = sha256(key)
  return `ffffffff-${hex.slice(0, 4)}-8${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`
}

function readRequest(raw: Record<string, unknown>, wallet: string, hot: string) {
  try {
    const request = requestedTransaction(raw)
    if (request.from !== null && request.from !== wallet.toLowerCase()) {
      throw new RequestedTransactionError(`from must be ${wallet}, the address of this account, or be left out`)
    }
    const receivers = [request.to, tokenTransfer(request.data)?.to]
    if (receivers.some((each) => each?.toLowerCase() === hot.toLowerCase())) {
      throw new RequestedTransactionError('to must not be the hot wallet of this deployment: nobody would be credited')
    }
    return request
  } catch (error) {
    if (!(error instanceof RequestedTransactionError)) throw error
    throw fail('INVALID_REQUEST', { message: `transactionData.${error.message}` })
  }
}

/** The order of a key, created if there is none. 422 when the key was used for another transaction. */
async function orderOnce(tx: Tx, wanted: OrderRow): Promise<{ order: OrderRow; isNew: boolean }> {
  const known = await orderOf(tx, wanted.requestKey)
  if (!known) return { order: await addOrder(tx, wanted), isNew: true }
  const isSame =
    known.accountId === wanted.accountId &&
    known.network === wanted.network &&
    isDeepStrictEqual(known.transactionData, wanted.transactionData)
  if (!isSame) throw fail('UNPROCESSABLE', { message: 'This Idempotency-Key was used for another transaction' })
  return { order: known, isNew: false }
}

async function sentInTime(deps: WalletDeps, id: string, until: number): Promise<Static<typeof PortfolioExecuted>> {
  for (;;) {
    const order = await findOrder(deps.store.read, id)
    if (order?.status === 'failed') throw fail('UNPROCESSABLE', { message: order.reason ?? 'The chain refused it' })
    if (order && order.txHash !== null) return { transactionId: id, txHash: order.txHash }
    if (performance.now() >= until) throw fail('UPSTREAM_TIMEOUT')
    await Bun.sleep(lookMs)
  }
}

/** The order of a key; undefined if there is none. */
async function orderOf(db: Db, requestKey: string | null): Promise<OrderRow | undefined> {
  return requestKey === null ? undefined : (await orderByKey(db).execute({ requestKey }))[0]
}

const orderByKey = byKey(orders, 'requestKey')
