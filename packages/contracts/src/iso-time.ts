let lastMs = Number.NaN
let lastText = ''

/** A time in ISO 8601 UTC, as `toISOString` gives it; cached for repeated calls with the same one. */
export function isoTime(at: Date): string {
  const ms = at.getTime()
  if (ms !== lastMs) {
    lastText = at.toISOString()
    lastMs = ms
  }
  return lastText
}
