/** Three hexadecimal digits of each number below 4096. */
const digits = Array.from({ length: 4096 }, (_, i) => i.toString(16).padStart(3, '0'))

/** The number of ids made by this process. Starts at random, so that the ids of two processes have little in common. */
let made = Math.floor(Math.random() * 0x800000)

/** The last millisecond and the prefix of its ids: consecutive ids are mostly of the same one. */
let last = { ms: -1, beginning: '' }

/**
 * An id for a new record: a UUID v7 of a moment, by default now. Ids that one process makes for one millisecond are in
 * order of creation, whatever it makes for others in between (RFC 9562, 6.2: a counter in the bits after the time), so
 * that a list by time and id shows records in order of creation.
 */
export function newId(at: Date | number = Date.now()): string {
  const ms = typeof at === 'number' ? at : at.getTime()
  if (ms !== last.ms) last = { ms, beginning: idFloor(ms).slice(0, 15) }
  made = (made + 1) & 0xffffff
  // The last 48 bits of a UUID v4 are random.
  const random = crypto.randomUUID().slice(24)
  return `${last.beginning}${digits[made >> 12]}-8${digits[made & 0xfff]}-${random}`
}

/** The smallest UUID v7 of a moment: smaller ids are older, the others are of that moment or newer. */
export function idFloor(at: Date | number): string {
  const hex = Math.max(0, Number(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}
