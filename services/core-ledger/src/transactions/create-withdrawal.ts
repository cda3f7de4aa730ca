import { formatAmount } from '@bursar/money'
import type { Store } from '@bursar/store'
import { checkAddress } from '../addresses/check-address'
import { fail } from '../errors'
import { createTransaction } from './create-transaction'
import { amountOf } from './parse-amount'
import { type TransactionRecord, toTransaction } from './read-transactions'
import { readTerms, requireActive, requireNetwork, type Terms } from './terms'
import type { NewTransfer, NewWithdrawal, Transaction } from './transactions.model'

type Withdrawal = NewWithdrawal & { participantId?: string }

/**
 * Makes a withdrawal and holds its amount, in one commit: PENDING, waiting for its screening. `participantId` is kept
 * for the gateway form. Throws AccountUnknown for an account that no event has told of: call it through
 * `lookup.knowing`.
 */
export const createWithdrawal = (store: Store, input: Withdrawal, now = new Date()): Promise<Transaction> =>
  createWithdrawalAs(store, input, toTransaction, now)

/** The same with an answer of another form, made inside the commit so that idempotency keeps it. */
export function createWithdrawalAs<T>(
  store: Store,
  input: Withdrawal,
  present: (record: TransactionRecord) => T,
  now = new Date(),
): Promise<T> {
  const { accountId, assetId, network, destinationAddress, reference, participantId } = input
  checkAddress(network, destinationAddress, 'destinationAddress')
  return store.commit(async (tx) => {
    const terms = await readTerms(tx, accountId, assetId)
    requireNetwork(terms, network)
    const amount = payable(terms, input.amount)
    const withdrawal = { type: 'WITHDRAWAL', amount, destinationAddress, reference, participantId } as const
    return present(await createTransaction(tx, terms, withdrawal, now))
  })
}

/**
 * Makes a transfer between two accounts and holds its amount at the sender; the receiver gets it once it is completed.
 * Throws AccountUnknown as withdrawals do.
 */
export function createTransfer(store: Store, input: NewTransfer, now = new Date()): Promise<Transaction> {
  const { fromAccountId, assetId, reference } = input
  const toAccountId = input.toAccountId.toLowerCase()
  if (fromAccountId.toLowerCase() === toAccountId) throw fail('SAME_ACCOUNT')
  return store.commit(async (tx) => {
    const terms = await readTerms(tx, fromAccountId, assetId)
    requireActive(await readTerms(tx, toAccountId, assetId))
    const amount = payable(terms, input.amount)
    return toTransaction(await createTransaction(tx, terms, { type: 'TRANSFER', amount, toAccountId, reference }, now))
  })
}

/** The amount, when the account may pay it and has it. Insufficient balance names available and asked. */
function payable(terms: Terms, text: string): bigint {
  requireActive(terms)
  const { asset, holding } = terms
  const amount = amountOf(text, asset.decimals)
  if (amount <= holding.available) return amount
  const available = formatAmount(holding.available, asset.decimals)
  const asked = formatAmount(amount, asset.decimals)
  throw fail('INSUFFICIENT_BALANCE', {
    message: `Insufficient balance: ${available} ${asset.code} available, ${asked} ${asset.code} asked`,
    details: { available, asked, assetCode: asset.code },
  })
}
