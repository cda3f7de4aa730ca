/** A month in UTC, `2026-11`: its first moment, and the first moment after it. */
export function monthPeriod(month: string): { from: string; to: string } | null {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (!year || !number) return null
  const startOf = (after: number) => new Date(Date.UTC(Number(year), Number(number) - 1 + after, 1)).toISOString()
  return { from: startOf(0), to: startOf(1) }
}

/** The months up to that of `now`, the newest first. */
export const monthsUntil = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - i, 1)).toISOString().slice(0, 7),
  )

const words = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })
/** `November 2026`. */
export const monthWords = (month: string): string => {
  const period = monthPeriod(month)
  return period ? words.format(new Date(period.from)) : month
}
