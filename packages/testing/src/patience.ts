/** Tests have no use for shorter limits, unless they say so: a busy machine may stand still for as long as many of them. */
const patientMs = 60_000
const usual = AbortSignal.timeout
let wantedBy = 0
let isShort = false

/**
 * Gives the calls of this process at least a minute for an answer: those of services to others, of which many have
 * seconds alone. Returns a function that ends this; the usual limits are back once every caller has ended it.
 */
export function patience(): () => void {
  let isWanted = true
  wantedBy += 1
  AbortSignal.timeout = (ms) => usual.call(AbortSignal, isShort ? ms : Math.max(ms, patientMs))
  return () => {
    if (!isWanted) return
    isWanted = false
    wantedBy -= 1
    if (wantedBy === 0) AbortSignal.timeout = usual
  }
}

/** Runs work with the usual limits, for what never answers. */
export async function impatiently<T>(work: () => Promise<T>): Promise<T> {
  isShort = true
  try {
    return await work()
  } finally {
    isShort = false
  }
}
