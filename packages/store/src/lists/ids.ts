/** How many ids this process has made. It begins anywhere, so that those of two processes have little in common. */
let made = Math.floor(Math.random() * 0x800000)

/**
 * An id for a new record: a UUID v7 of a moment, by default now. Those that one process makes for one millisecond are
 * in the order in which it made them, whatever it made for others in between (RFC 9562, 6.2, a counter in the bits
 * after the time), so that a list by time and id shows what was made together in the order of its making.
 */
export function newId(at: Date | number = Date.now()): string {
  made = (made + 1) & 0xffffff
  const id = Bun.randomUUIDv7('hex', typeof at === 'number' ? at : at.getTime())
  const counted = (made | 0x1000000).toString(16)
  return `${id.slice(0, 15)}${counted.slice(1, 4)}-8${counted.slice(4)}${id.slice(23)}`
}

/** The smallest UUID v7 of a moment: ids below it are older, ids from it on are of that moment or younger. */
export function idFloor(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}
