import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { fail } from '../errors'
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
  requestId?: string | null
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
  const free = new Map<string, bigint>()
  const refusals = new Map<Asked, AppError>()
  const drafts: (Draft & { asked: Asked })[] = []
  for (const [i, asked] of all.entries()) {
    const { input, ...event } = asked
    try {
      const { destinationAddress, reference } = input
      checkAddress(input.network, destinationAddress, 'destinationAddress')
      const found = unlessRefused(terms[i])
      requireNetwork(found, input.network)
      const place = `${found.accountId} ${found.asset.id}`
      const available = free.get(place) ?? found.holding.available
      const left = { ...found, holding: { ...found.holding, available } }
      const amount = payable(left, input.amount, await takenBy(tx, found))
      free.set(place, available - amount)
      drafts.push({
        asked,
        terms: found,
        input: { type: 'WITHDRAWAL', amount, destinationAddress, reference },
        ...event,
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.set(asked, error)
    }
  }
  const made = await createTransactions(
    tx,
    drafts.map(({ asked: _, ...draft }) => draft),
    now,
  )
  const records = new Map(drafts.map(({ asked }, i) => [asked, made[i] as TransactionRecord]))
  return all.map((asked) => (records.get(asked) ?? refusals.get(asked)) as TransactionRecord | AppError)
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
