import { comparableAddress } from '@bursar/contracts/address'
import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { AppError, recordLog } from '@bursar/http'
import { eq, param, params, prepared, type Tx } from '@bursar/store'
import { assetsOnNetwork } from '../assets/assets'
import { recordDeposit } from '../transactions/create-deposit'
import { readTerms } from '../transactions/terms'
import { unmatchedDeposits } from './unmatched-deposits.table'

/**
 * Records a deposit that the blockchain service has confirmed; the same again changes nothing. One whose asset or
 * account is not known here is set aside with the reason, and credited to no account.
 */
export async function recordConfirmed(tx: Tx, deposit: ConfirmedDeposit, now = new Date()): Promise<void> {
  const reason = await tryToRecord(tx, deposit, now)
  if (reason === null) await forget(tx).execute({ id: deposit.id })
  else await setAside(tx, deposit, reason, now)
}

/** Null when it is recorded, else why not. What fails here has written nothing. */
async function tryToRecord(tx: Tx, deposit: ConfirmedDeposit, now: Date): Promise<string | null> {
  const { network, contractAddress, decimals, accountId, sourceAddress, txHash, logIndex } = deposit
  const contract = contractAddress === null ? null : comparableAddress(contractAddress)
  const candidates = (await assetsOnNetwork(tx, network)).filter(
    (asset) => (asset.contractAddress === null ? null : comparableAddress(asset.contractAddress)) === contract,
  )
  const [asset, another] = candidates
  if (!asset) return 'No asset has this network and contract'
  if (another) return `Several assets have this network and contract, ${asset.code} and ${another.code} among them`
  if (asset.decimals !== decimals) return `${asset.code} has ${asset.decimals} decimals here, ${decimals} on its chain`
  const amount = /^\d{1,78}$/.test(deposit.amount) ? BigInt(deposit.amount) : 0n
  if (amount === 0n) return 'The amount is not above 0'
  try {
    const terms = await readTerms(tx, accountId, asset.id)
    await recordDeposit(tx, terms, { amount, sourceAddress, txHash, logIndex }, now)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

async function setAside(tx: Tx, deposit: ConfirmedDeposit, reason: string, now: Date): Promise<void> {
  const { id, network, txHash, logIndex, accountId, contractAddress, amount } = deposit
  const [isNew] = await insertUnmatched(tx).execute({ id, deposit, reason, createdAt: now })
  if (!isNew) return void (await setReason(tx).execute({ id, reason }))
  await recordLog(tx, {
    service: 'core-ledger',
    requestId: id,
    at: now,
    event_type: 'ERROR_OCCURRED',
    status: 'FAILURE',
    metadata: {
      message: 'A deposit is credited to no account',
      reason,
      deposit_id: id,
      network,
      tx_hash: txHash,
      log_index: logIndex,
      account_id: accountId,
      contract_address: contractAddress,
      amount,
    },
  })
}

const insertUnmatched = prepared((db) =>
  db
    .insert(unmatchedDeposits)
    .values(params(unmatchedDeposits))
    .onConflictDoNothing()
    .returning({ id: unmatchedDeposits.id }),
)
const isOne = eq(unmatchedDeposits.id, param('id'))
const setReason = prepared((db) =>
  db
    .update(unmatchedDeposits)
    .set({ reason: param('reason') })
    .where(isOne),
)
const forget = prepared((db) => db.delete(unmatchedDeposits).where(isOne))
