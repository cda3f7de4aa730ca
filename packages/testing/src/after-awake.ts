const tickMs = 50

/**
 * Calls `work` after so many milliseconds in which this process ran: one that stands still loses a tick, not its time. Returns a
 * function that cancels it.
 */
export function afterAwake(ms: number, work: () => void): () => void {
  let leftMs = ms
  const cancel = () => clearInterval(timer)
  const timer = setInterval(() => {
    leftMs -= tickMs
    if (leftMs > 0) return
    cancel()
    work()
  }, tickMs)
  return cancel
}

/** Stands for `AbortSignal.timeout`: a process that has stood still first hears what came meanwhile. */
export function awakeTimeout(ms: number): AbortSignal {
  const ending = new AbortController()
  afterAwake(ms, () => ending.abort(new DOMException('The operation timed out.', 'TimeoutError')))
  return ending.signal
}
