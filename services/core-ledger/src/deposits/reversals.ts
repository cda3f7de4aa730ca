import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { formatAmount } from '@bursar/money'
import { rowBy, type Tx } from '@bursar/store'
import { comparableContract } from '../assets/assets'
import { chainTransferOf, putChainTransfer } from '../movements/chain-transfers'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import { recordAlarm } from '../movements/record-alarm'
import { measureReversed } from '../movements/reversal-shortfall'
import { transferKey } from '../networks/networks'
import { depositsOf } from './create-deposit'
import { unmatchedDeposits } from './unmatched-deposits.table'

/**
 * Whether a reported state is older than the known one: events arrive in any order, and a page of the list may have
 * been read before an event that came first. `trusted`: the times of the known state are believed up to then.
 */
export async function isOutdated(tx: Tx, deposit: ConfirmedDeposit, trusted?: Date): Promise<boolean> {
  const at = new Date(deposit.reversedAt ?? deposit.confirmedAt)
  const isTrusted = (since: Date) => trusted === undefined || since <= trusted
  const aside = await setAsideOf(tx, deposit.id)
  const asideSince = aside && new Date(aside.confirmedAt)
  if (asideSince && at < asideSince && isTrusted(asideSince)) return true
  const known = await chainTransferOf(tx, keyOf(deposit))
  const since = known && (known.reversedAt ?? known.confirmedAt)
  if (!since || !isTrusted(since)) return false
  return deposit.reversedAt === null && known.reversedAt !== null ? at <= since : at < since
}

/** The deposit that is set aside under an id, as last reported; undefined for none. */
export const setAsideOf = async (tx: Tx, id: string): Promise<ConfirmedDeposit | undefined> =>
  (await unmatchedById(tx, id))?.deposit

/**
 * Handles a transfer that was confirmed with other terms than its deposit's: it was off its chain in between, though no
 * event said so. Its deposit counts as reversed until the chain confirms the old terms again.
 */
export async function takeBackReplaced(tx: Tx, deposit: ConfirmedDeposit, now: Date): Promise<void> {
  const known = await chainTransferOf(tx, keyOf(deposit))
  const confirmedAt = new Date(deposit.confirmedAt)
  if (!known?.transactionId || known.reversedAt !== null || confirmedAt <= known.confirmedAt) return
  if (isTransferOf(deposit, await transactionById(tx, known.transactionId))) return
  // The exact time is unknown: before the present terms were confirmed.
  await takeBack(tx, deposit, new Date(confirmedAt.getTime() - 1).toISOString(), now)
}

const isTransferOf = (deposit: ConfirmedDeposit, recorded: TransactionRecord): boolean =>
  deposit.accountId === recorded.accountId &&
  deposit.amount === `${recorded.amount}` &&
  comparableContract(deposit.contractAddress) === comparableContract(recorded.contractAddress)

/**
 * Handles a reversed transfer. While it is off the chain its deposit is not credited (obstacle.ts); one that was
 * credited, or returned, opens a shortfall of its account. Nothing is reversed in the books: the transfer may be
 * confirmed again, and a person decides. After a second reversal it stays reversed, whenever the confirmation in
 * between arrives.
 */
export async function takeBack(tx: Tx, deposit: ConfirmedDeposit, reversedAt: string, now: Date): Promise<void> {
  const key = keyOf(deposit)
  const known = await chainTransferOf(tx, key)
  if (known?.reversedAt) {
    const at = new Date(reversedAt)
    if (at > known.reversedAt) await putChainTransfer(tx, { ...known, reversedAt: at })
    return
  }
  const recorded = await depositsOf(tx, deposit.network, deposit.txHash)
  const transaction = recorded.find(({ chainKey, transferKey: own }) => (chainKey ?? own) === key)
  await putChainTransfer(tx, {
    key,
    transactionId: transaction?.id ?? null,
    confirmedAt: new Date(deposit.confirmedAt),
    reversedAt: new Date(reversedAt),
  })
  if (!transaction) return
  await tell(tx, transaction, 'A deposit was taken off its chain', now)
  await measureReversed(tx, transaction, now)
}

/** Handles a reversed transfer that is confirmed again, also if the reversal in between arrives later. */
export async function putBack(tx: Tx, deposit: ConfirmedDeposit, now: Date): Promise<void> {
  const known = await chainTransferOf(tx, keyOf(deposit))
  if (!known || known.transactionId === null) return
  const confirmedAt = new Date(deposit.confirmedAt)
  if (known.reversedAt === null && confirmedAt <= known.confirmedAt) return
  await putChainTransfer(tx, { ...known, confirmedAt, reversedAt: null })
  if (known.reversedAt === null) return
  const transaction = await transactionById(tx, known.transactionId)
  await tell(tx, transaction, 'A deposit that was taken off its chain has been confirmed again', now)
  await measureReversed(tx, transaction, now)
}

const tell = (
  tx: Tx,
  { id, status, accountId, network, txHash, amount, asset }: TransactionRecord,
  message: string,
  at: Date,
) =>
  recordAlarm(
    tx,
    { requestId: id, at },
    {
      message,
      transaction_id: id,
      transaction_status: status,
      account_id: accountId,
      network,
      tx_hash: txHash,
      asset_code: asset.code,
      amount: formatAmount(amount, asset.decimals),
    },
  )

const keyOf = ({ network, txHash, logIndex }: ConfirmedDeposit): string => transferKey(network, txHash, logIndex)

const unmatchedById = rowBy(unmatchedDeposits, 'id')
