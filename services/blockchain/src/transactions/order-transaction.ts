import { formatAmount } from '@bursar/money'
import { and, byKey, eq, insertInto, newId, param, type Tx, waitingSince } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { hashText, outside } from '../networks/forms'
import type { Chain } from '../networks/network'
import { amountField } from '../tokens/amount-field'
import { ibanField, swiftField } from './bank'
import type { Payer } from './caller'
import { type PaymentRoute, routePayment } from './route-payment'
import type { NewTransfer, NewWithdraw } from './transactions.model'
import { type TransactionRow, transactions } from './transactions.table'

export type { TransactionRow }

/** A transfer to an address as a new record. Fails with 400 and 422 if it cannot be carried out. */
export async function newTransfer(deps: BlockchainDeps, payer: Payer, input: NewTransfer): Promise<TransactionRow> {
  const { currency, network, destinationAddress } = input
  const route = await routePayment(deps, currency, network, (chain) => chain.address(destinationAddress))
  return newRow('transfer', payer, input, { ...route, now: deps.clock() })
}

/**
 * A payment to a bank account as a new record: the currency goes to the redemption address of its network (setting
 * REDEMPTION_ADDRESSES), whose owner pays it out. Simulated networks have their own one.
 */
export async function newWithdraw(deps: BlockchainDeps, payer: Payer, input: NewWithdraw): Promise<TransactionRow> {
  const iban = ibanField(input.iban)
  const swift = swiftField(input.swift)
  const route = await routePayment(deps, input.currency, input.network, (chain) => redemptionOn(deps, chain))
  return { ...newRow('withdraw', payer, input, { ...route, now: deps.clock() }), iban, swift }
}

function redemptionOn({ config }: BlockchainDeps, { settings, address }: Chain): string | null {
  const given = config.redemption.get(settings.name)
  const known = given === undefined ? null : address(given)
  if (known !== null) return known
  if (given === undefined && settings.kind === 'simulated') return simulatedRedemption[settings.form]
  throw fail('UNPROCESSABLE', {
    message: `No redemption address is set for ${settings.name}, or none of that network (REDEMPTION_ADDRESSES)`,
  })
}

/** Addresses without a known key. */
const simulatedRedemption = { ...outside, evm: hashText('evm', 'redemption').slice(0, 42), free: 'redemption' }

function newRow(
  type: TransactionRow['type'],
  payer: Payer,
  { amount, transactionId }: NewTransfer | NewWithdraw,
  { chain, token, destinationAddress, now }: PaymentRoute & { now: Date },
): TransactionRow {
  if (payer.omnibusAccountId === null) {
    throw fail('UNPROCESSABLE', { message: 'The participant has no omnibus account to pay from' })
  }
  const units = amountField(amount, token.decimals)
  return {
    id: newId(),
    type,
    transactionId,
    participantId: payer.participantId,
    accountId: payer.omnibusAccountId,
    network: chain.settings.name,
    currency: token.code,
    contractAddress: token.contractAddress,
    amount: formatAmount(units, token.decimals),
    decimals: token.decimals,
    destinationAddress,
    iban: null,
    swift: null,
    status: 'new',
    ledgerId: null,
    ledgerStatus: null,
    reason: null,
    ...waitingSince(now),
    createdAt: now,
    updatedAt: now,
  }
}

/** Records it. A repeat returns the existing record; fails (409) when that differs. */
export async function orderTransaction(tx: Tx, row: TransactionRow): Promise<{ row: TransactionRow; isNew: boolean }> {
  const [known] = await transactionByCaller(tx).execute(row)
  if (!known) {
    await insertTransaction(tx).execute(row)
    return { row, isNew: true }
  }
  const isSame = told.every((field) => known[field] === row[field])
  if (!isSame) throw fail('CONFLICT', { message: `Another ${row.type} has the transactionId ${row.transactionId}` })
  return { row: known, isNew: false }
}

const told = ['amount', 'currency', 'network', 'destinationAddress', 'iban', 'swift'] as const

export const transactionByCaller = byKey(transactions, 'participantId', {
  only: and(eq(transactions.type, param('type')), eq(transactions.transactionId, param('transactionId'))),
})
const insertTransaction = insertInto(transactions)
