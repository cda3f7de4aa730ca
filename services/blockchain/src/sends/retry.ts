/** The longest pause, in usual pauses of the network: a minute at two seconds. */
const most = 30

/** How long a send may be put off on a network with this usual pause. */
export const longestPauseMs = (pollMs: number): number => pollMs * most

/** When something that failed is tried again: after the network's usual pause at first, then ever later. */
export function retryAt({ failures }: { failures: number }, pollMs: number, now: Date): Date {
  return new Date(now.getTime() + pollMs * Math.min(most, 2 ** Math.min(failures, 10)))
}
