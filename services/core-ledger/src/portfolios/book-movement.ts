import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { formatAmount } from '@bursar/money'
import { and, between, eq, insertInto, isNull, newId, param, prepared, type Tx, updateBy } from '@bursar/store'
import { executingType, findStanding } from '../accounts/accounts'
import { type AssetRow, assetOfCoin } from '../assets/assets'
import { holdingOf, postMovement } from '../ledger/post'
import { recordAlarm } from '../movements/record-alarm'
import { setShortfall } from '../movements/shortfalls'
import { useAsset } from '../movements/terms'
import { alarmPaid, endAlarm } from '../movements/work'
import { chainAmount, normalHash, normalNetwork } from '../networks/networks'
import { lessenTakes } from './end-execution'
import { type ReturnedDeposit, recordReturn } from './forgotten-returns'
import { findMovement, type Movement, movementById, movementId, reversedOf, uncoveredOf } from './movements'
import { movements } from './movements.table'
import { ownPayment } from './own-withdrawals'

/**
 * Stores a movement that the blockchain service has confirmed, and posts it. A repeat of the same place in the same
 * transaction changes nothing, except to record that its chain reversed it. A movement that cannot be posted waits,
 * with the reason. `accountId` is the owner; the owner of a payment is that of its order, not of its address
 * (findOwner).
 */
export async function recordMovement(
  tx: Tx,
  movement: ConfirmedMovement,
  accountId: string | null,
  now: Date,
): Promise<void> {
  const network = normalNetwork(movement.network)
  const txHash = normalHash(network, movement.txHash)
  const { kind, place, address, counterparty, contractAddress, decimals, orderId } = movement
  const known = await findMovement(tx, { network, txHash, place })
  if (known) return await followReversal(tx, known, movement, now)
  const id = movementId({ network, txHash, place })
  const row: Movement = {
    id,
    kind,
    network,
    txHash,
    place,
    part: 1,
    accountId,
    address,
    counterparty,
    contractAddress,
    amount: chainAmount(movement.amount),
    decimals,
    orderId,
    assetId: null,
    confirmedAt: new Date(movement.confirmedAt),
    reversedAt: movement.reversedAt === undefined ? null : new Date(movement.reversedAt),
    confirmedAgainAt: null,
    bookedAt: null,
    waitsFor: null,
  }
  await insert(tx).execute(row)
  await bookMovement(tx, row, now)
}

/** Posts the unposted part of a movement, as far as possible. */
async function bookMovement(tx: Tx, row: Movement, now: Date): Promise<void> {
  if (row.reversedAt !== null) return await wait(tx, row, takenBack, now)
  const asset = await assetOf(tx, row)
  if (typeof asset === 'string') return await wait(tx, row, asset, now)
  const isNew = row.assetId === null
  const own = row.kind === 'out' && row.part === 1 ? await ownPayment(tx, { ...row, assetId: asset.id }) : null
  if (own?.is === 'booked') return void (await forget(tx).execute({ id: row.id }))
  if (own?.is === 'perhaps' && isNew) {
    // Another return of the same deposit must not be paid as well (returns.ts).
    if (own.alarm && row.orderId !== null) await alarmPaid(tx, row.orderId, own.alarm)
    return await wait(tx, row, own.why, now)
  }
  if (own?.is === 'return' && isNew) return await returnAgain(tx, row, own, now)
  const { accountId } = row
  const account = accountId === null ? undefined : await findStanding(tx, accountId)
  if (accountId !== null && !account) return await wait(tx, row, `Account ${accountId} is not known`, now)
  const isExecuting = account?.type === executingType
  if (row.kind === 'fee' && !isExecuting) return await bookWhole(tx, row, asset, now)
  if (accountId === null) return await wait(tx, row, nobodys, now)
  if (row.kind === 'in' && !isExecuting) return await wait(tx, row, `Account ${accountId} is no portfolio account`, now)
  if (own?.is === 'forgotten' && isNew) await tell(tx, row, forgottenPayment, now)
  if (row.kind === 'in') await bookWhole(tx, row, asset, now)
  else await bookAvailable(tx, { ...row, accountId }, asset, now)
  // Nothing is left to settle by hand.
  if (row.kind === 'out' && row.orderId !== null) await endAlarm(tx, row.orderId)
  await settleShortfall(tx, accountId, asset, now)
}

/** The payment is then recorded as a return, not as a movement. */
async function returnAgain(
  tx: Tx,
  row: Movement,
  returned: Extract<ReturnedDeposit, { is: 'return' }>,
  now: Date,
): Promise<void> {
  const { id, orderId, txHash } = row
  if (orderId === null) throw new Error(`Movement ${id} returns nothing`)
  await tell(tx, row, forgottenPayment, now)
  await forget(tx).execute({ id })
  await recordReturn(tx, returned, { orderId, txHash }, now)
  await endAlarm(tx, orderId)
}

/** The ledger's asset that moved, or the reason why there is none. */
const assetOf = async (tx: Tx, row: Movement): Promise<AssetRow | string> => {
  const asset = await assetOfCoin(tx, row)
  return typeof asset === 'string' || row.amount > 0n ? asset : 'The amount is not above 0'
}

/** Posts the whole amount; a fee that no portfolio paid is the platform's. */
async function bookWhole(tx: Tx, row: Movement, asset: AssetRow, now: Date, isPlatforms = row.kind === 'fee') {
  const { id, kind, accountId, network, amount, orderId } = row
  await useAsset(tx, { asset })
  await setBooked(tx).execute({ id, amount, assetId: asset.id, bookedAt: now, waitsFor: null })
  await postMovement(
    tx,
    isPlatforms ? 'fee' : 'execution',
    { id, kind, accountId, network, assetId: asset.id, amount },
    now,
  )
  if (!isPlatforms && kind !== 'in' && orderId !== null) await lessenTakes(tx, orderId, asset.id, amount)
}

/** Posts the available amount, never a held one; the rest becomes a separate part, which waits. */
async function bookAvailable(tx: Tx, row: Movement & { accountId: string }, asset: AssetRow, now: Date): Promise<void> {
  const { available } = await holdingOf(tx, row.accountId, asset.id)
  if (available >= row.amount) return await bookWhole(tx, row, asset, now, false)
  const rest = { ...row, assetId: asset.id, amount: row.amount - available, waitsFor: notCovered }
  if (row.waitsFor === null) await tell(tx, { ...row, amount: rest.amount }, notCovered, now)
  if (available === 0n) return await setWaiting(tx).execute(rest).then(nothing)
  await bookWhole(tx, { ...row, amount: available }, asset, now, false)
  const part = row.part + 1
  await insert(tx).execute({ ...rest, part, id: `${row.network} ${row.txHash} ${row.place} ${part}` })
}

const forgottenPayment =
  'The ledger does not have this withdrawal, or has ended it otherwise, and the chain has paid it'
const nobodys =
  'Nobody knows whose payment it was: the ledger and the wallet service have forgotten its order (bun run reconcile)'
const takenBack = 'Its chain has taken it back'
const notCovered = 'Less is on the chain than the ledger holds'
const messages = new Map([
  [forgottenPayment, 'A payment is booked by the chain'],
  [takenBack, 'A movement was taken off its chain'],
])
const nothing = () => {}

/**
 * Updates a known movement: confirmed, or reversed by its chain. The newest statement wins, because events may arrive
 * out of order. Nothing is reversed in the books: it may be confirmed again, and a person decides. While an incoming
 * movement is reversed, its account has a shortfall, and its withdrawals wait.
 */
async function followReversal(tx: Tx, known: Movement, movement: ConfirmedMovement, now: Date): Promise<void> {
  const confirmedAt = new Date(movement.confirmedAt)
  const reversedAt = movement.reversedAt === undefined ? null : new Date(movement.reversedAt)
  const since = known.reversedAt ?? known.confirmedAgainAt ?? known.confirmedAt
  // A time ahead of now was set by a wrong clock, and would be the newest until then.
  const isAhead = since > now
  const isNews =
    reversedAt === null
      ? confirmedAt > since || (known.reversedAt !== null && isAhead)
      : reversedAt > since || (known.reversedAt === null && (reversedAt >= since || isAhead))
  if (!isNews) return
  const confirmedAgainAt = reversedAt === null ? confirmedAt : known.confirmedAgainAt
  await setReversed(tx).execute({ id: known.id, lastPart: `${known.id} \x7f`, confirmedAgainAt, reversedAt })
  // Reversed again: the confirmation in between, which is still to arrive, is older.
  if (reversedAt !== null && known.reversedAt !== null) return
  if (reversedAt !== null) await tell(tx, known, takenBack, now)
  await measureTakenBack(tx, known, now)
  const asset = await assetOf(tx, known)
  if (known.accountId !== null && typeof asset !== 'string') await settleShortfall(tx, known.accountId, asset, now)
}

/** Opens or closes the shortfall of its account's asset by the incoming movements that were posted and then reversed. */
export async function measureTakenBack(tx: Tx, row: Movement, now: Date): Promise<void> {
  const { accountId } = row
  const asset = await assetOf(tx, row)
  if (accountId === null || typeof asset === 'string') return
  const missing = await reversedOf(tx, accountId, asset.id)
  const [first] = missing
  const reason =
    first &&
    `${sumOf(missing, asset)} ${asset.code} came to account ${accountId} and were taken off ` +
      `${asset.network} again (transaction ${first.txHash})`
  await setShortfall(tx, { accountId, assetId: asset.id }, 'reversed-movements', reason ?? null, now)
}

/**
 * Posts the waiting movements of the account's asset as far as it is available now; while any wait, there is a
 * shortfall.
 */
async function settleShortfall(tx: Tx, accountId: string, asset: AssetRow, now: Date): Promise<void> {
  for (const row of await uncoveredOf(tx, accountId, asset.id)) {
    if ((await holdingOf(tx, accountId, asset.id)).available === 0n) break
    await bookAvailable(tx, { ...row, accountId }, asset, now)
  }
  const left = await uncoveredOf(tx, accountId, asset.id)
  const [first] = left
  const reason =
    first &&
    `Less is on ${asset.network} than the ledger holds for account ${accountId}: ${sumOf(left, asset)} ` +
      `${asset.code} have left ${first.address} that it does not have (transaction ${first.txHash})`
  await setShortfall(tx, { accountId, assetId: asset.id }, 'movements', reason ?? null, now)
}

const sumOf = (rows: readonly Movement[], { decimals }: AssetRow): string =>
  formatAmount(
    rows.reduce((sum, { amount }) => sum + amount, 0n),
    decimals,
  )

/**
 * Retries a waiting movement: a deposit or a released hold may have covered the account's asset. The owner may be known
 * by now; it is in the row.
 */
export async function settleWaiting(tx: Tx, row: Movement, now: Date): Promise<void> {
  const current = await movementById(tx, row.id)
  if (!current || current.bookedAt !== null) return
  const { accountId } = row
  if (accountId !== current.accountId) await setAccount(tx).execute({ id: row.id, accountId })
  await bookMovement(tx, { ...current, accountId }, now)
}

async function wait(tx: Tx, row: Movement, waitsFor: string, now: Date): Promise<void> {
  if (row.waitsFor === null) await tell(tx, row, waitsFor, now)
  if (row.waitsFor !== waitsFor) await setWaiting(tx).execute({ ...row, waitsFor })
}

/** Logs a movement that waits, or was reversed, in the log tracker. */
const tell = (tx: Tx, row: Movement, reason: string, at: Date): Promise<unknown> =>
  recordAlarm(
    tx,
    { requestId: row.orderId ?? newId(), at },
    {
      message: messages.get(reason) ?? 'A movement on a chain is not in the books',
      reason,
      movement: row.id,
      kind: row.kind,
      account_id: row.accountId,
      contract_address: row.contractAddress,
      amount: formatAmount(row.amount, row.decimals),
    },
  )

const insert = insertInto(movements)
const setBooked = prepared((db) =>
  db
    .update(movements)
    .set({
      amount: param('amount'),
      assetId: param('assetId'),
      bookedAt: param('bookedAt'),
      waitsFor: param('waitsFor'),
    })
    .where(and(eq(movements.id, param('id')), isNull(movements.bookedAt))),
)
const setWaiting = prepared((db) =>
  db
    .update(movements)
    .set({ assetId: param('assetId'), waitsFor: param('waitsFor') })
    .where(and(eq(movements.id, param('id')), isNull(movements.bookedAt))),
)
const forget = prepared((db) =>
  db.delete(movements).where(and(eq(movements.id, param('id')), isNull(movements.bookedAt))),
)
const setReversed = prepared((db) =>
  db
    .update(movements)
    .set({ confirmedAgainAt: param('confirmedAgainAt'), reversedAt: param('reversedAt') })
    // All parts of the movement.
    .where(between(movements.id, param('id'), param('lastPart'))),
)
const setAccount = updateBy(movements, 'id', ['accountId'])
