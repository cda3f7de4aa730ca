import { screenName } from '@bursar/contracts/sanctions'
import { AmountError, currencyDecimals, formatAmount, parsePositiveAmount } from '@bursar/money'
import { type Db, insertInto, newId, rowBy } from '@bursar/store'
import Big from 'big.js'
import { getCustodianBank } from '../custodian-banks/custodian-banks'
import type { MainApiDeps } from '../deps'
import { badFields, fail } from '../errors'
import { getParticipant } from '../participants/participants'
import { toUnits } from '../payments/amounts'
import { velocityOf } from '../payments/velocity'
import type { AmlCheck, AmlRequest } from './aml.model'
import { amlChecks } from './aml-checks.table'
import { customerFacts } from './customer-facts'
import { type NameFacts, needsConfirmation, rulesVersion, scoreCheck } from './rules'

type AmlCheckRow = typeof amlChecks.$inferSelect

type AmlDeps = Pick<MainApiDeps, 'store' | 'client' | 'seal' | 'now'>

/**
 * Runs an AML check: looks up the facts for the rules, and scores them. Does not store it. Fails (404) for an unknown
 * participant or custodian bank, (400) for an invalid amount or birth date. Rejects with CallError while the
 * sanctions service cannot be reached: an unscreened name is never "not sanctioned".
 */
export async function makeCheck({ store, client, seal, now }: AmlDeps, request: AmlRequest): Promise<AmlCheckRow> {
  const { participantId, custodianBankId, customerData } = request
  const currency = request.transactionCurrency.toUpperCase()
  const createdAt = now()
  const amount = checkAmount(request.transactionAmount, currency)
  const { name, ...customer } = customerFacts(customerData, createdAt)
  const [participant, bank] = await Promise.all([
    getParticipant(store.read, participantId),
    getCustodianBank(store.read, custodianBankId),
  ])
  const scored = scoreCheck({
    ...customer,
    amount: toUnits(amount),
    currency,
    participantCountry: participant.country,
    bankCountry: bank.country,
    names: name === null ? null : await namesLike(client, name),
    velocity: await store.snapshot((db) => velocityOf(db, participantId, currency, createdAt)),
  })
  const id = newId()
  const sealedCustomer = seal.seal(JSON.stringify(customerData), placeOf(id))
  const about = { id, participantId, custodianBankId, amount, currency, sealedCustomer }
  return { ...about, ...scored, rules: rulesVersion, createdAt }
}

export const storeCheck = insertInto(amlChecks)

export async function getCheck(db: Db, id: string): Promise<AmlCheckRow> {
  const row = await checkById(db, id)
  if (!row) throw fail('NOT_FOUND', { message: 'AML check not found' })
  return row
}

export const toAmlResult = ({ id, score, riskLevel, reasons }: AmlCheckRow) => ({
  riskLevel,
  needConfirm: needsConfirmation(riskLevel),
  amlId: id,
  score,
  reasons,
})

export const toAmlCheck = (row: AmlCheckRow): AmlCheck => ({
  ...toAmlResult(row),
  participantId: row.participantId,
  custodianBankId: row.custodianBankId,
  transactionAmount: row.amount,
  transactionCurrency: row.currency,
  rulesVersion: row.rules,
  createdAt: row.createdAt.toISOString(),
})

async function namesLike(client: AmlDeps['client'], name: string): Promise<NameFacts> {
  const { list, listed, matches } = await client.call(screenName, { body: { name } })
  return { list: `${list.name} of ${list.publishedAt.slice(0, 10)}`, listed, matches }
}

/** The context to which a check's encrypted customer data is bound. */
export const placeOf = (id: string): string => `aml check ${id}`

const checkById = rowBy(amlChecks, 'id')

/**
 * The amount of a check as a decimal string. A JSON number is read as its decimal text. Fails (400) for
 * more decimals than the currency has (ISO 4217), or more than 38 digits.
 */
function checkAmount(amount: number, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0
  try {
    return formatAmount(parsePositiveAmount(new Big(amount).toFixed(), decimals), decimals)
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    const field = 'transactionAmount'
    throw badFields({ field, message: `${field} ${error.message}` })
  }
}
