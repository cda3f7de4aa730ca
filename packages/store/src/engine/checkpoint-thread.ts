interface Done {
  id: number
  failure: string | null
}

type Waiting = PromiseWithResolvers<void>

let thread: Worker | null = null
let isDead = false
let lastId = 0
const waiting = new Map<number, Waiting>()

/**
 * Folds a database's log into its file, as far as no reader holds it, in a thread: one for all stores of the process,
 * started when the first log has grown long, for it takes some megabytes. Rejects when that fails, and from the end of the
 * thread on.
 */
export function checkpointInThread(file: string): Promise<void> {
  if (isDead) return Promise.reject(new Error('The thread has ended'))
  thread ??= start()
  lastId += 1
  const done = Promise.withResolvers<void>()
  waiting.set(lastId, done)
  thread.postMessage({ id: lastId, file })
  return done.promise
}

/** For tests: ends the thread, whatever it does. `revive` lets the next checkpoint start another. */
export const checkpointThread = {
  isRunning: () => thread !== null,
  terminate: () => thread?.terminate(),
  revive() {
    thread?.terminate()
    thread = null
    isDead = false
  },
}

function start(): Worker {
  const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url).href, { smol: true })
  // The process may end although it waits.
  worker.unref()
  worker.onmessage = ({ data: { id, failure } }: MessageEvent<Done>) => {
    const done = waiting.get(id)
    waiting.delete(id)
    if (failure === null) done?.resolve()
    else done?.reject(new Error(failure))
  }
  const died = () => {
    if (thread !== worker) return
    thread = null
    isDead = true
    for (const done of waiting.values()) done.reject(new Error('The thread has ended'))
    waiting.clear()
  }
  worker.addEventListener('error', died)
  worker.addEventListener('close', died)
  return worker
}
