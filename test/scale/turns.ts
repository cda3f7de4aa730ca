/**
 * How much of its processor's time this thread has used, in milliseconds. Neighbours on a busy machine count for nothing
 * in it, and neither does waiting for the disk.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What a piece of work kept the event loop from, at most: a turn's work, and how long that took in all, in milliseconds. */
export interface LongestTurn<T> {
  value: T
  ms: number
  wallMs: number
}

/** Runs some work, and watches the turns of the event loop meanwhile. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<LongestTurn<T>> {
  let [ms, wallMs] = [0, 0]
  let [busy, clock] = [0, 0]
  let isOn = true
  const note = () => {
    const [nowBusy, now] = [threadMs(), performance.now()]
    ms = Math.max(ms, nowBusy - busy)
    wallMs = Math.max(wallMs, now - clock)
    busy = nowBusy
    clock = now
  }
  const turn = () => {
    note()
    if (isOn) setImmediate(turn)
  }
  await new Promise(setImmediate)
  busy = threadMs()
  clock = performance.now()
  setImmediate(turn)
  try {
    const value = await work()
    note()
    return { value, ms, wallMs }
  } finally {
    isOn = false
  }
}
