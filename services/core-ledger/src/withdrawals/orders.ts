import type { OrderedState, OrderedWithdrawal } from '@bursar/contracts/core-ledger'
import { AppError } from '@bursar/http'
import { type Db, eq, inArray, insertInto, queryAmong, rowBy, type Store, type Tx } from '@bursar/store'
import { findStanding } from '../accounts/accounts'
import { assetsOfCoin } from '../assets/assets'
import { fail } from '../errors'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'
import { createWithdrawal } from './create-withdrawal'
import { orderedWithdrawals } from './ordered-withdrawals.table'

/**
 * Carries out an order once: `place` creates its withdrawal in the commit that stores the order. A final refusal (400,
 * 404) is stored too, and the order is never carried out later; any other failure stores nothing.
 */
export async function takeOrder(
  store: Store,
  order: OrderedWithdrawal,
  place: (tx: Tx) => Promise<{ id: string }>,
  prepare: () => Promise<void>,
  now: Date,
): Promise<OrderedState> {
  const id = order.id.toLowerCase()
  const known = await orderedState(store.read, id)
  if (known) return known
  try {
    await prepare()
    await store.commit(async (tx) => {
      if (await isKnown(tx, id)) return
      const { id: transactionId } = await place(tx)
      await insert(tx).execute({ id, transactionId, refusal: null, createdAt: now })
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    await store.commit(async (tx) => {
      if (!(await isKnown(tx, id))) await insert(tx).execute({ id, transactionId: null, refusal, createdAt: now })
    })
  }
  const state = await orderedState(store.read, id)
  if (!state) throw new Error(`Order ${id} was not kept`)
  return state
}

/** Creates the withdrawal of an OMNIBUS account that an order asks for, as for a caller of its own. */
export async function placeOrder(tx: Tx, order: OrderedWithdrawal, now: Date): Promise<{ id: string }> {
  const { accountId, network, contractAddress, amount, destinationAddress, reference } = order
  const account = await findStanding(tx, accountId.toLowerCase())
  if (account && account.type !== 'OMNIBUS') {
    throw fail('OMNIBUS_ACCOUNT_NEEDED', {
      message: `Account ${account.id} is of type ${account.type}; it must be OMNIBUS`,
    })
  }
  const [asset] = await assetsOfCoin(tx, network, contractAddress)
  if (!asset) {
    const coin = contractAddress === null ? 'its native coin' : `the contract ${contractAddress}`
    throw fail('ASSET_NOT_FOUND', { message: `No asset is ${coin} on ${network}` })
  }
  return await createWithdrawal(
    tx,
    { accountId, network, assetId: asset.id, amount, destinationAddress, reference },
    now,
  )
}

/** The states of these orders; unknown ones are left out. */
export async function orderedStates(db: Db, ids: readonly string[]): Promise<Map<string, OrderedState>> {
  const rows = await statesById(db, ids)
  return new Map(rows.map((row) => [row.id, toState(row)]))
}

const orderedState = async (db: Db, id: string): Promise<OrderedState | undefined> =>
  (await orderedStates(db, [id])).get(id)

const isKnown = async (tx: Tx, id: string): Promise<boolean> => (await byId(tx, id)) !== undefined

const refusalOf = (error: unknown): string | null =>
  error instanceof AppError && (error.status === 400 || error.status === 404) ? error.message : null

type Row = Awaited<ReturnType<typeof statesById>>[number]

/** While it is carried out, the reason is what it waits for. */
const toState = ({ id, transactionId, refusal, status, rejection, failure, waitsFor }: Row): OrderedState => ({
  id,
  transactionId,
  status,
  reason: refusal ?? failure ?? rejection ?? waitsFor,
})

const statesById = queryAmong(
  (ids) => (db) =>
    db
      .select({
        id: orderedWithdrawals.id,
        transactionId: orderedWithdrawals.transactionId,
        refusal: orderedWithdrawals.refusal,
        status: transactions.status,
        rejection: transactions.rejectionReason,
        failure: transactions.failureReason,
        waitsFor: work.lastError,
      })
      .from(orderedWithdrawals)
      .leftJoin(transactions, eq(transactions.id, orderedWithdrawals.transactionId))
      .leftJoin(work, eq(work.transactionId, orderedWithdrawals.transactionId))
      .where(inArray(orderedWithdrawals.id, ids)),
)
const byId = rowBy(orderedWithdrawals, 'id')
const insert = insertInto(orderedWithdrawals)
