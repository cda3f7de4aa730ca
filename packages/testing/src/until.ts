/**
 * Waits for a condition, checking every 5 ms to 50 ms, and returns its truthy value. A condition that throws is not met
 * yet. Throws after `timeoutMs`, naming `what` it was waiting for. Unless given that is three minutes: machines are busy, and
 * each minute services heal by pulls what their events were to tell.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 180_000, what = 'a condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = performance.now() + timeoutMs
  let pauseMs = 5
  for (;;) {
    let failure: unknown
    try {
      const value = await condition()
      if (value) return value as Exclude<T, false | null | undefined | 0 | ''>
    } catch (error) {
      failure = error
    }
    if (performance.now() >= deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause: failure })
    await Bun.sleep(pauseMs)
    pauseMs = Math.min(pauseMs + 5, 50)
  }
}
