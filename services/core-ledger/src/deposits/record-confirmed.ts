import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { deleteBy, insertMissing, type Tx, updateBy, waitingSince } from '@bursar/store'
import { assetOfCoin } from '../assets/assets'
import { recordAlarm } from '../movements/record-alarm'
import { readTerms } from '../movements/terms'
import { chainAmount } from '../networks/networks'
import { recordSeen } from './create-deposit'
import { putBack, takeBack, takeBackReplaced } from './reversals'
import { unmatchedDeposits } from './unmatched-deposits.table'

/**
 * Records a deposit in the state that the blockchain service reports; a repeat changes nothing. A deposit whose asset
 * or account is unknown here is set aside with the reason, and not credited. A reversed one is not credited while it is
 * off the chain (reversals.ts). Returns why it is set aside; null if it is not.
 */
export async function recordConfirmed(tx: Tx, deposit: ConfirmedDeposit, now: Date): Promise<string | null> {
  if (deposit.reversedAt !== null) {
    await forgetUnmatched(tx, deposit.id)
    await takeBack(tx, deposit, deposit.reversedAt, now)
    return null
  }
  const reason = await tryToRecord(tx, deposit, now)
  if (reason === null) {
    await forgetUnmatched(tx, deposit.id)
    return null
  }
  await takeBackReplaced(tx, deposit, now)
  await setAside(tx, deposit, reason, now)
  return reason
}

export const forgetUnmatched = async (tx: Tx, id: string): Promise<void> => void (await forget(tx).execute({ id }))

/** Null if it was recorded, else the reason. A failure here has written nothing. */
async function tryToRecord(tx: Tx, deposit: ConfirmedDeposit, now: Date): Promise<string | null> {
  const { accountId, sourceAddress, txHash, logIndex } = deposit
  const asset = await assetOfCoin(tx, deposit)
  if (typeof asset === 'string') return asset
  const amount = chainAmount(deposit.amount)
  if (amount === 0n) return 'The amount is not above 0'
  try {
    const terms = await readTerms(tx, accountId, asset.id)
    const confirmedAt = new Date(deposit.confirmedAt)
    await recordSeen(tx, terms, { amount, sourceAddress, txHash, logIndex, confirmedAt }, now)
    await putBack(tx, deposit, now)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

async function setAside(tx: Tx, deposit: ConfirmedDeposit, reason: string, now: Date): Promise<void> {
  const { id, network, txHash, logIndex, accountId, contractAddress, amount, decimals } = deposit
  const inserted = await insertUnmatched(tx, [{ id, deposit, reason, ...waitingSince(now), createdAt: now }])
  if (inserted === 0) return void (await setTold(tx).execute({ id, deposit, reason }))
  await recordAlarm(
    tx,
    { requestId: id, at: now },
    {
      message: 'A deposit is credited to no account',
      reason,
      deposit_id: id,
      network,
      tx_hash: txHash,
      log_index: logIndex,
      account_id: accountId,
      contract_address: contractAddress,
      amount: formatAmount(chainAmount(amount), decimals),
    },
  )
}

const insertUnmatched = insertMissing(unmatchedDeposits)
const setTold = updateBy(unmatchedDeposits, 'id', ['deposit', 'reason'])
const forget = deleteBy(unmatchedDeposits, 'id')
