import { fail } from '../errors'

/** The maximum number of rows a page may skip, since each one is read (decisions, Deep offsets). */
const mostSkipped = 100_000

/** Fails (400) for a page that would skip too many of the matching rows; a page after the last row skips none. */
export function refuseDeepPage({ offset }: { offset: number }, matching: number): void {
  if (offset > mostSkipped && offset < matching) throw fail('PAGE_TOO_DEEP')
}
