import { isIsoTime } from '@bursar/contracts/schema'
import { getSimpleAlpha2Code, registerLocale } from 'i18n-iso-countries/index'
import english from 'i18n-iso-countries/langs/en.json'
import { badFields } from '../errors'
import { countryCode } from '../values'
import type { CustomerData } from './aml.model'
import type { Facts } from './rules'

registerLocale(english)

const fields = ['firstName', 'lastName', 'dateOfBirth', 'nationality'] as const

/** The maximum age of a person. */
const mostYears = 130

/**
 * The facts of the customer for the rules, and its whole name; null when a part is missing. Fails (400) for an
 * impossible birth date.
 */
export function customerFacts(
  customer: CustomerData,
  now: Date,
): Pick<Facts, 'missing' | 'age' | 'nationality'> & { name: string | null } {
  const given = (field: (typeof fields)[number]): string => customer[field]?.trim() ?? ''
  const missing = fields.filter((field) => given(field) === '')
  const [firstName, lastName, dateOfBirth, nationality] = fields.map(given) as [string, string, string, string]
  return {
    missing,
    age: dateOfBirth === '' ? null : ageOf(dateOfBirth, now),
    nationality: nationality === '' ? null : (countryOf(nationality) ?? 'unknown'),
    name: firstName === '' || lastName === '' ? null : `${firstName} ${lastName}`,
  }
}

/** A country by its code, or by its English name, case-insensitive. */
const countryOf = (text: string): string | undefined => countryCode(text) ?? getSimpleAlpha2Code(text, 'en')

/** Full years, in UTC. */
function ageOf(dateOfBirth: string, now: Date): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth) || !isIsoTime(dateOfBirth)) {
    throw refusal('must be a date such as 1985-04-12')
  }
  const today = now.toISOString().slice(0, 10)
  if (dateOfBirth > today) throw refusal('must not be in the future')
  // A birthday on 29 February counts as 1 March in other years.
  const hadBirthday = today.slice(5) >= dateOfBirth.slice(5)
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4)) - (hadBirthday ? 0 : 1)
  if (years > mostYears) throw refusal(`must not be more than ${mostYears} years ago`)
  return years
}

function refusal(problem: string) {
  const field = 'customerData.dateOfBirth'
  return badFields({ field, message: `${field} ${problem}` })
}
