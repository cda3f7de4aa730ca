/** When something that failed is tried again: after a second at first, then ever later, up to a minute. */
export function retryAt({ failures }: { failures: number }, now: Date): Date {
  const pauseMs = Math.min(60_000, 1000 * 2 ** Math.min(failures, 10))
  return new Date(now.getTime() + pauseMs)
}
