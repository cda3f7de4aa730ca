/**
 * What does not agree. `lost`: money or a promise that the books do not have. `made`: booked, and on no chain. `doubled`:
 * more than once. `stuck`: open, and nobody is told what to do. `wrong`: the books contradict themselves.
 */
export const kinds = ['lost', 'made', 'doubled', 'stuck', 'wrong'] as const
export interface Finding {
  kind: (typeof kinds)[number]
  /** What it is about: of a transaction, an address, a payment. */
  id: string
  what: string
}
