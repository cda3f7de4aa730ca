import { AppError, orRefusal } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { placeOf } from '../ledger/post'
import { createTransaction, createTransactions, type Draft } from '../movements/create-transaction'
import { parseRequestAmount } from '../movements/parse-amount'
import type { TransactionRecord } from '../movements/read-transactions'
import { readTerms, requireActive, requireNetwork, type Terms, termsOfAll } from '../movements/terms'
import type { NewTransfer, NewWithdrawal } from '../movements/transactions.model'
import { checkAddress } from '../networks/check-address'
import { takenOf } from '../portfolios/authorise-execution'

/**
 * Creates a withdrawal and holds its amount: PENDING, waiting for its screening. The account must be known here
 * (require-account.ts).
 */
export async function createWithdrawal(tx: Tx, input: NewWithdrawal, now: Date): Promise<TransactionRecord> {
  const [outcome] = await createWithdrawals(tx, [{ input }], now)
  if (outcome === undefined || outcome instanceof AppError) throw outcome
  return outcome
}

/** A requested withdrawal, and the id of the request; the commit's by default. */
interface Asked {
  input: NewWithdrawal
  requestId?: string | null | undefined
}

/**
 * The same for several, one after another: each reduces the balance for the next ones. Gives each transaction, or why
 * it is refused.
 */
export async function createWithdrawals(
  tx: Tx,
  all: readonly Asked[],
  now: Date,
): Promise<(TransactionRecord | AppError)[]> {
  const terms = await termsOfAll(
    tx,
    all.map(({ input }) => input),
  )
  const free = await freeOfPortfolios(tx, terms)
  const drafts = all.map((asked, i) => draftOf(asked, terms[i], free))
  const made = await createTransactions(tx, drafts.filter(isDraft), now)
  let next = 0
  return drafts.map((draft) => (isDraft(draft) ? (made[next++] as TransactionRecord) : draft))
}

const isDraft = (draft: Draft | AppError): draft is Draft => !(draft instanceof AppError)

/** The draft of a withdrawal, or why it is refused. `free`: the remaining balances, by account and asset. */
function draftOf(
  { input, requestId }: Asked,
  found: Terms | AppError | undefined,
  free: Map<string, bigint>,
): Draft | AppError {
  return orRefusal(() => {
    const { network, destinationAddress, reference } = input
    checkAddress(network, destinationAddress, 'destinationAddress')
    const terms = termsOf(found)
    requireNetwork(terms, network)
    const place = placeOf(terms.accountId, terms.asset.id)
    const available = free.get(place) ?? terms.holding.available
    const amount = payable(terms, input.amount, available)
    free.set(place, available - amount)
    return { terms, input: { type: 'WITHDRAWAL', amount, destinationAddress, reference }, requestId }
  })
}

/** The available balances of portfolios minus what their open executions may still take; may be negative. */
async function freeOfPortfolios(tx: Tx, all: readonly (Terms | AppError)[]): Promise<Map<string, bigint>> {
  const free = new Map<string, bigint>()
  for (const terms of all) {
    if (terms instanceof AppError || terms.accountType !== 'PORTFOLIO') continue
    const taken = await takenOf(tx, terms.accountId)
    free.set(placeOf(terms.accountId, terms.asset.id), terms.holding.available - (taken.get(terms.asset.id) ?? 0n))
  }
  return free
}

function termsOf(terms: Terms | AppError | undefined): Terms {
  if (terms === undefined || terms instanceof AppError) throw terms
  return terms
}

/**
 * Creates a transfer between two accounts and holds its amount at the sender; the receiver gets it on completion. Both
 * accounts must be known here.
 */
export async function createTransfer(tx: Tx, input: NewTransfer, now: Date): Promise<TransactionRecord> {
  const { fromAccountId, assetId, reference } = input
  const toAccountId = input.toAccountId.toLowerCase()
  if (fromAccountId.toLowerCase() === toAccountId) throw fail('SAME_ACCOUNT')
  const terms = await readTerms(tx, fromAccountId, assetId)
  const receiver = await readTerms(tx, toAccountId, assetId)
  for (const side of [terms, receiver]) requireNoPortfolio(side)
  requireActive(receiver)
  const amount = payable(terms, input.amount, terms.holding.available)
  return await createTransaction(tx, terms, { type: 'TRANSFER', amount, toAccountId, reference }, now)
}

/** Fails for a portfolio: its ledger balance follows its address, so nothing may move in the books alone. */
function requireNoPortfolio({ accountId, accountType }: Terms): void {
  if (accountType !== 'PORTFOLIO') return
  throw fail('PORTFOLIO_TRANSFER', {
    message: `Account ${accountId} is a portfolio account, whose coins are at its own address: withdraw to its address instead`,
  })
}

/**
 * The amount in minor units, if the account is active and the amount is free (`free` may be negative). Else fails:
 * insufficient balance (400) names the available and the requested amount.
 */
function payable(terms: Terms, text: string, free: bigint): bigint {
  requireActive(terms)
  const { asset } = terms
  const amount = parseRequestAmount(text, asset.decimals)
  if (amount <= free) return amount
  const available = formatAmount(free > 0n ? free : 0n, asset.decimals)
  const asked = formatAmount(amount, asset.decimals)
  throw fail('INSUFFICIENT_BALANCE', {
    message: `Insufficient balance: ${available} ${asset.code} available, ${asked} ${asset.code} asked`,
    details: { available, asked, assetCode: asset.code },
  })
}
