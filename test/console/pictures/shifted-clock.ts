const dayMs = 86_400_000
const RealDate = Date
const { randomUUIDv7 } = Bun
let shiftMs = 0

/** The time of this process, so many days from the real one; it runs on from there. */
class ShiftedDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    if (parts.length === 0) super(ShiftedDate.now())
    else super(...(parts as [number]))
  }
  static override now(): number {
    return RealDate.now() + shiftMs
  }
}

/** Puts the clock of this process, and the ids that are made by it, so many days from the real one. */
export function moveClock(days: number): void {
  shiftMs = days * dayMs
  globalThis.Date = ShiftedDate as DateConstructor
  Bun.randomUUIDv7 = ((encoding: 'hex' = 'hex') => randomUUIDv7(encoding, ShiftedDate.now())) as typeof randomUUIDv7
}
