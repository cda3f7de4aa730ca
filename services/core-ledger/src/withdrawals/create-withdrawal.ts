import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { createTransaction } from '../movements/create-transaction'
import { amountOf } from '../movements/parse-amount'
import type { TransactionRecord } from '../movements/read-transactions'
import { readTerms, requireActive, requireNetwork, type Terms } from '../movements/terms'
import type { NewTransfer, NewWithdrawal } from '../movements/transactions.model'
import { checkAddress } from '../networks/check-address'
import { takenOf } from '../portfolios/authorise-execution'

/**
 * Makes a withdrawal and holds its amount: PENDING, waiting for its screening. The account must be known here
 * (require-account.ts).
 */
export async function createWithdrawal(tx: Tx, input: NewWithdrawal, now: Date): Promise<TransactionRecord> {
  const { accountId, assetId, network, destinationAddress, reference } = input
  checkAddress(network, destinationAddress, 'destinationAddress')
  const terms = await readTerms(tx, accountId, assetId)
  requireNetwork(terms, network)
  const amount = payable(terms, input.amount, await takenBy(tx, terms))
  const withdrawal = { type: 'WITHDRAWAL', amount, destinationAddress, reference } as const
  return await createTransaction(tx, terms, withdrawal, now)
}

/**
 * Makes a transfer between two accounts and holds its amount at the sender; the receiver gets it once it is completed.
 * Both accounts must be known here.
 */
export async function createTransfer(tx: Tx, input: NewTransfer, now: Date): Promise<TransactionRecord> {
  const { fromAccountId, assetId, reference } = input
  const toAccountId = input.toAccountId.toLowerCase()
  if (fromAccountId.toLowerCase() === toAccountId) throw fail('SAME_ACCOUNT')
  const terms = await readTerms(tx, fromAccountId, assetId)
  const receiver = await readTerms(tx, toAccountId, assetId)
  for (const side of [terms, receiver]) requireNoPortfolio(side)
  requireActive(receiver)
  const amount = payable(terms, input.amount)
  return await createTransaction(tx, terms, { type: 'TRANSFER', amount, toAccountId, reference }, now)
}

/** A portfolio's ledger balance follows its address: nothing moves in the books alone. */
function requireNoPortfolio({ accountId, accountType }: Terms): void {
  if (accountType !== 'PORTFOLIO') return
  throw fail('PORTFOLIO_TRANSFER', {
    message: `Account ${accountId} is a portfolio account, whose coins are at its own address: withdraw to its address instead`,
  })
}

/** What a portfolio's executions may take until the chain has told what they took. */
const takenBy = async (tx: Tx, { accountId, accountType, asset }: Terms): Promise<bigint> =>
  accountType === 'PORTFOLIO' ? ((await takenOf(tx, accountId)).get(asset.id) ?? 0n) : 0n

/** The amount, when the account may pay it and has it. Insufficient balance names available and asked. */
function payable(terms: Terms, text: string, taken = 0n): bigint {
  requireActive(terms)
  const { asset, holding } = terms
  const amount = amountOf(text, asset.decimals)
  const free = holding.available > taken ? holding.available - taken : 0n
  if (amount <= free) return amount
  const available = formatAmount(free, asset.decimals)
  const asked = formatAmount(amount, asset.decimals)
  throw fail('INSUFFICIENT_BALANCE', {
    message: `Insufficient balance: ${available} ${asset.code} available, ${asked} ${asset.code} asked`,
    details: { available, asked, assetCode: asset.code },
  })
}
