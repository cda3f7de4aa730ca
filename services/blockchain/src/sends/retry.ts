/** The longest pause between two attempts. */
const mostMs = 60_000

/** When something that failed is tried again: after the network's usual pause at first, then ever later, up to a minute. */
export function retryAt({ failures }: { failures: number }, pollMs: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(mostMs, pollMs * 2 ** Math.min(failures, 16)))
}
