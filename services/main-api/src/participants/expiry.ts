import { badFields } from '../errors'

const fromMs = 1e11
const fromSeconds = 1e9
const mostDays = 3650
const dayMs = 24 * 60 * 60 * 1000
/** The last millisecond of the year 9999: later ones have no ISO 8601 form of four digits. */
const lastMs = 253_402_300_799_999

/**
 * A key's expiry from a number whose magnitude tells its unit (decisions, Who may call 8): Unix milliseconds, Unix
 * seconds, or days from now. Fails (400) for a time in the past, or an invalid number.
 */
export function expiryOf(expirationDate: number, now: Date): Date {
  const ms = millisecondsOf(expirationDate, now)
  if (ms !== undefined && ms > now.getTime() && ms <= lastMs) return new Date(ms)
  const message = `expirationDate must be 1 to ${mostDays} days from now, or a moment to come in Unix seconds or milliseconds`
  throw badFields({ field: 'expirationDate', message })
}

function millisecondsOf(value: number, now: Date): number | undefined {
  if (value >= fromMs) return value
  if (value >= fromSeconds) return value * 1000
  return value >= 1 && value <= mostDays ? now.getTime() + value * dayMs : undefined
}
