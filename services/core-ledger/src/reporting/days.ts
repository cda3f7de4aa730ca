const dayMs = 24 * 60 * 60 * 1000

/** The last day asked for: consecutive moments are mostly of one day. */
let last = { day: Number.NaN, text: '' }

/** The UTC day of a moment, YYYY-MM-DD. */
export function dayOf(at: Date): string {
  const day = Math.floor(at.getTime() / dayMs)
  if (day !== last.day) last = { day, text: at.toISOString().slice(0, 10) }
  return last.text
}

/** The day this many days later; earlier if negative. */
export const addDays = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * dayMs))

/** The number of days from the first to the last, both included; 0 or less if they are in the wrong order. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1

/** Every day from the first to the last, both included. */
export const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, countDays(from, to)) }, (_, i) => addDays(from, i))
