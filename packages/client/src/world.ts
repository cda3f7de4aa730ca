import type { World } from './calls.js'

/** Rejects with the signal's reason as soon as it is aborted. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

export const usualWorld: World = {
  fetch: (request) => fetch(request),
  sleep,
  random: Math.random,
  nowMs: () => performance.now(),
}
