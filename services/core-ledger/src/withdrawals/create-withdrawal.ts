import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { placeOf } from '../ledger/post'
import { createTransaction, createTransactions, type Draft } from '../movements/create-transaction'
import { amountOf } from '../movements/parse-amount'
import type { TransactionRecord } from '../movements/read-transactions'
import { readTerms, requireActive, requireNetwork, type Terms, termsOfAll } from '../movements/terms'
import type { NewTransfer, NewWithdrawal } from '../movements/transactions.model'
import { checkAddress } from '../networks/check-address'
import { takenOf } from '../portfolios/authorise-execution'

/**
 * Makes a withdrawal and holds its amount: PENDING, waiting for its screening. The account must be known here
 * (require-account.ts).
 */
export async function createWithdrawal(tx: Tx, input: NewWithdrawal, now: Date): Promise<TransactionRecord> {
  const [outcome] = await createWithdrawals(tx, [{ input }], now)
  if (outcome === undefined || outcome instanceof AppError) throw outcome
  return outcome
}

/** A withdrawal that is asked for, and by which request; the commit's unless given. */
interface Asked {
  input: NewWithdrawal
  requestId?: string | null | undefined
}

/**
 * The same for withdrawals, one after another: of an account's balance each leaves less for those after it. Gives the
 * transaction of each, or why there is none.
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

/** What is made of a withdrawal, or why it is refused. `free`: what those before it have left, by account and asset. */
function draftOf(
  { input, requestId }: Asked,
  found: Terms | AppError | undefined,
  free: Map<string, bigint>,
): Draft | AppError {
  try {
    const { network, destinationAddress, reference } = input
    checkAddress(network, destinationAddress, 'destinationAddress')
    const terms = unlessRefused(found)
    requireNetwork(terms, network)
    const place = placeOf(terms.accountId, terms.asset.id)
    const available = free.get(place) ?? terms.holding.available
    const amount = payable(terms, input.amount, available)
    free.set(place, available - amount)
    return { terms, input: { type: 'WITHDRAWAL', amount, destinationAddress, reference }, requestId }
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** What portfolios have free, which may be below 0: their executions may take the rest until the chain has told what they took. */
async function freeOfPortfolios(tx: Tx, all: readonly (Terms | AppError)[]): Promise<Map<string, bigint>> {
  const free = new Map<string, bigint>()
  for (const terms of all) {
    if (terms instanceof AppError || terms.accountType !== 'PORTFOLIO') continue
    const taken = await takenOf(tx, terms.accountId)
    free.set(placeOf(terms.accountId, terms.asset.id), terms.holding.available - (taken.get(terms.asset.id) ?? 0n))
  }
  return free
}

function unlessRefused(terms: Terms | AppError | undefined): Terms {
  if (terms === undefined || terms instanceof AppError) throw terms
  return terms
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
  const amount = payable(terms, input.amount, terms.holding.available)
  return await createTransaction(tx, terms, { type: 'TRANSFER', amount, toAccountId, reference }, now)
}

/** A portfolio's ledger balance follows its address: nothing moves in the books alone. */
function requireNoPortfolio({ accountId, accountType }: Terms): void {
  if (accountType !== 'PORTFOLIO') return
  throw fail('PORTFOLIO_TRANSFER', {
    message: `Account ${accountId} is a portfolio account, whose coins are at its own address: withdraw to its address instead`,
  })
}

/**
 * The amount, when the account may pay it and so much is free, which may be below 0. Insufficient balance names available
 * and asked.
 */
function payable(terms: Terms, text: string, free: bigint): bigint {
  requireActive(terms)
  const { asset } = terms
  const amount = amountOf(text, asset.decimals)
  if (amount <= free) return amount
  const available = formatAmount(free > 0n ? free : 0n, asset.decimals)
  const asked = formatAmount(amount, asset.decimals)
  throw fail('INSUFFICIENT_BALANCE', {
    message: `Insufficient balance: ${available} ${asset.code} available, ${asked} ${asset.code} asked`,
    details: { available, asked, assetCode: asset.code },
  })
}
