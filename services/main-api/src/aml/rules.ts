/**
 * The rules of the AML check, all of them: the facts, points and explanation of each (GET /aml-engine/{amlId} and
 * the answer's `reasons`). Pure: all looked-up data is passed in as Facts. The score is the sum of the points, at
 * most 100. Change a number here, its row in the table below, and `rulesVersion`.
 *
 * | rule | when | points |
 * | --- | --- | --- |
 * | SANCTIONED_NAME | a listed name has the same words as the customer's | 100 |
 * | SIMILAR_NAME | all words of one of the two names are in the other | 50 |
 * | NAME_NOT_SCREENED | first or last name is missing, or the sanctions list in use has no names, or none in its letters | 30 |
 * | SANCTIONED_COUNTRY | nationality, or the country of the participant or the bank, is under comprehensive sanctions | 100 |
 * | HIGH_RISK_COUNTRY | the same for the lists of high-risk countries | 30 |
 * | AMOUNT_LARGE | the amount is at least the currency's threshold | 20 |
 * | AMOUNT_VERY_LARGE | it is at least ten times the threshold | 40 (instead) |
 * | AMOUNT_JUST_BELOW | it is below the threshold by a tenth of it or less | 15 |
 * | CURRENCY_WITHOUT_THRESHOLD | the currency is not in the table of thresholds | 15 |
 * | MANY_PAYMENTS | 100 payments of the participant or more in the last 24 hours | 10 |
 * | VERY_MANY_PAYMENTS | 500 or more | 20 (instead) |
 * | HIGH_TURNOVER | with this amount the participant moves 100 thresholds or more in 24 hours | 15 |
 * | VERY_HIGH_TURNOVER | 1,000 thresholds or more | 30 (instead) |
 * | MISSING_DATA | each of first name, last name, birth date and nationality that is missing | 10 |
 * | UNKNOWN_NATIONALITY | the nationality names no ISO 3166-1 country | 30 |
 * | MINOR | the customer is younger than 18 | 30 |
 *
 * From 30 points the risk is MEDIUM, from 70 HIGH; both need a person's confirmation.
 */
export const rulesVersion = '2026-11-22'

export const riskLevels = ['LOW', 'MEDIUM', 'HIGH'] as const
export type RiskLevel = (typeof riskLevels)[number]

export const ruleNames = [
  'SANCTIONED_NAME',
  'SIMILAR_NAME',
  'NAME_NOT_SCREENED',
  'SANCTIONED_COUNTRY',
  'HIGH_RISK_COUNTRY',
  'AMOUNT_LARGE',
  'AMOUNT_VERY_LARGE',
  'AMOUNT_JUST_BELOW',
  'CURRENCY_WITHOUT_THRESHOLD',
  'MANY_PAYMENTS',
  'VERY_MANY_PAYMENTS',
  'HIGH_TURNOVER',
  'VERY_HIGH_TURNOVER',
  'MISSING_DATA',
  'UNKNOWN_NATIONALITY',
  'MINOR',
] as const

/** A reason for points. */
export interface Reason {
  rule: (typeof ruleNames)[number]
  points: number
  /** A readable sentence. */
  explanation: string
}

/** The input of the rules. */
export interface Facts {
  /** In summable units (payments/amounts.ts), like the sum of the velocity. */
  readonly amount: bigint
  /** ISO 4217, upper case. */
  readonly currency: string
  /** The missing fields of the customer data. */
  readonly missing: readonly string[]
  /** Full years at the time of the check; null where the birth date is missing. */
  readonly age: number | null
  /** ISO 3166-1, two letters; null where it is missing, 'unknown' for a text that names no country. */
  readonly nationality: string | null
  readonly participantCountry: string
  readonly bankCountry: string
  /** The sanctions list's matches of the customer's name; null when a part of it is missing. */
  readonly names: NameFacts | null
  /** The participant's payments of the last 24 hours, excluding this one; `sum` in this currency. */
  readonly velocity: { readonly count: number; readonly sum: bigint }
}

export interface NameFacts {
  /** The list in use, with its date. */
  readonly list: string
  /** The number of its names. */
  readonly listed: number
  readonly matches: readonly { readonly name: string; readonly isSame: boolean }[]
}

/** One unit of any currency in summable units. */
const one = 10n ** 18n

/**
 * The amount from which a single payment is large, in the currency's own unit: the legal reporting or identification
 * threshold (USD: 31 CFR 1010.311; EUR: Directive (EU) 2015/849, Regulation (EU) 2024/1624; CAD: PCMLTFA; AUD: AML/CTF
 * Act; CHF: CDB 20; SGD: MAS; HKD: AMLO), and about the same value for currencies without such a threshold.
 */
export const thresholds: Readonly<Record<string, number>> = {
  AED: 55_000,
  AUD: 10_000,
  BRL: 50_000,
  CAD: 10_000,
  CHF: 15_000,
  CNY: 50_000,
  DKK: 75_000,
  EUR: 10_000,
  GBP: 10_000,
  HKD: 120_000,
  INR: 1_000_000,
  JPY: 2_000_000,
  KRW: 10_000_000,
  MXN: 180_000,
  NOK: 100_000,
  NZD: 10_000,
  SEK: 100_000,
  SGD: 20_000,
  USD: 10_000,
  ZAR: 50_000,
}

/** Under comprehensive sanctions of OFAC: Cuba, Iran, North Korea (as of 2025-10). */
export const sanctionedCountries: ReadonlySet<string> = new Set(['CU', 'IR', 'KP'])

/**
 * FATF's call for action (Myanmar) and jurisdictions under increased monitoring as of 2025-10, and countries under
 * broad but not comprehensive sanctions (Afghanistan, Belarus, Russia).
 */
export const highRiskCountries: ReadonlySet<string> = new Set(
  'MM AO BG BO CD CI CM DZ HT KE LA LB MC NA NP SS SY VE VG VN YE AF BY RU'.split(' '),
)

/** Scores a check. */
export function scoreCheck(facts: Facts): { score: number; riskLevel: RiskLevel; reasons: Reason[] } {
  const reasons = [
    ...ofNames(facts),
    ...ofCountries(facts),
    ...ofAmount(facts),
    ...ofVelocity(facts),
    ...ofCustomer(facts),
  ]
  const points = reasons.reduce((sum, reason) => sum + reason.points, 0)
  const score = Math.min(100, points)
  return { score, riskLevel: score >= 70 ? 'HIGH' : score >= 30 ? 'MEDIUM' : 'LOW', reasons }
}

export const needsConfirmation = (riskLevel: RiskLevel): boolean => riskLevel !== 'LOW'

function ofNames({ names }: Facts): Reason[] {
  if (names === null) return [reason('NAME_NOT_SCREENED', 30, 'A name cannot be screened without first and last name')]
  const { list, listed, matches } = names
  if (listed === 0)
    return [reason('NAME_NOT_SCREENED', 30, `The list ${list} has no names that this one can be compared with`)]
  const same = matches.find(({ isSame }) => isSame)
  if (same) return [reason('SANCTIONED_NAME', 100, `The name is that of ${same.name} on the list ${list}`)]
  const [similar, ...others] = matches
  if (!similar) return []
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return [reason('SIMILAR_NAME', 50, `The name is similar to ${similar.name}${more} on the list ${list}`)]
}

function ofCountries({ nationality, participantCountry, bankCountry }: Facts): Reason[] {
  const places = [
    ['nationality', nationality],
    ['country of the participant', participantCountry],
    ['country of the custodian bank', bankCountry],
  ] as const
  return places.flatMap(([what, country]) => {
    if (country === null) return []
    if (sanctionedCountries.has(country)) {
      return [reason('SANCTIONED_COUNTRY', 100, `The ${what}, ${country}, is under comprehensive sanctions`)]
    }
    if (highRiskCountries.has(country)) {
      return [reason('HIGH_RISK_COUNTRY', 30, `The ${what}, ${country}, is a high-risk country`)]
    }
    return []
  })
}

function ofAmount({ amount, currency }: Facts): Reason[] {
  const threshold = thresholdOf(currency)
  if (threshold === null) {
    return [reason('CURRENCY_WITHOUT_THRESHOLD', 15, `There is no threshold for amounts in ${currency}`)]
  }
  const words = `the threshold of ${threshold / one} ${currency}`
  if (amount >= threshold * 10n) return [reason('AMOUNT_VERY_LARGE', 40, `The amount is at least ten times ${words}`)]
  if (amount >= threshold) return [reason('AMOUNT_LARGE', 20, `The amount is at least ${words}`)]
  if (amount * 10n >= threshold * 9n) return [reason('AMOUNT_JUST_BELOW', 15, `The amount is just below ${words}`)]
  return []
}

function ofVelocity({ amount, currency, velocity: { count, sum } }: Facts): Reason[] {
  const words = `The participant has made ${count} payments in the last 24 hours`
  const threshold = thresholdOf(currency)
  const turnover = amount + sum
  return [
    ...(count >= 500 ? [reason('VERY_MANY_PAYMENTS', 20, words)] : []),
    ...(count >= 100 && count < 500 ? [reason('MANY_PAYMENTS', 10, words)] : []),
    ...(threshold === null ? [] : ofTurnover(turnover / threshold, `${threshold / one} ${currency}`)),
  ]
}

function ofTurnover(times: bigint, threshold: string): Reason[] {
  const words = `With this amount the participant moves ${times} times the threshold of ${threshold} in 24 hours`
  if (times >= 1000n) return [reason('VERY_HIGH_TURNOVER', 30, words)]
  return times >= 100n ? [reason('HIGH_TURNOVER', 15, words)] : []
}

function ofCustomer({ missing, nationality, age }: Facts): Reason[] {
  return [
    ...missing.map((field) => reason('MISSING_DATA', 10, `customerData.${field} is missing`)),
    ...(nationality === 'unknown'
      ? [reason('UNKNOWN_NATIONALITY', 30, 'The nationality names no ISO 3166-1 country')]
      : []),
    ...(age !== null && age < 18 ? [reason('MINOR', 30, `The customer is ${age} years old`)] : []),
  ]
}

const thresholdOf = (currency: string): bigint | null => {
  const threshold = Object.hasOwn(thresholds, currency) ? thresholds[currency] : undefined
  return threshold === undefined ? null : BigInt(threshold) * one
}

const reason = (rule: Reason['rule'], points: number, explanation: string): Reason => ({ rule, points, explanation })
