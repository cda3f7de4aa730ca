/** A clock that stands at an ISO 8601 moment until it is advanced. Each call gives a new Date. */
export function fixedClock(iso: string) {
  let nowMs = parse(iso)
  return Object.assign(() => new Date(nowMs), {
    /** Moves it on by so many milliseconds (back, when negative). */
    advance(ms: number) {
      nowMs += ms
    },
    /** Sets it to an ISO 8601 moment. */
    set(next: string) {
      nowMs = parse(next)
    },
  })
}

function parse(iso: string): number {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) throw new Error(`Not a moment in ISO 8601: ${iso}`)
  return ms
}
