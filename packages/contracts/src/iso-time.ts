let lastMs = Number.NaN
let lastText = ''

/** A moment in ISO 8601 UTC, as `toISOString` gives it, made once for one that is asked for several times in a row. */
export function isoTime(at: Date): string {
  const ms = at.getTime()
  if (ms !== lastMs) {
    lastText = at.toISOString()
    lastMs = ms
  }
  return lastText
}
