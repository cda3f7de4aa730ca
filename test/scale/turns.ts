/**
 * Processor time of this thread, in milliseconds: without that of other processes, and without waiting for the disk.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The longest turn of the event loop during some work: thread time and wall time, in milliseconds. */
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
