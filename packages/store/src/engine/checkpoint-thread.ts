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
 * Checkpoints a database in a thread: folds its log into its file as far as no reader holds it. One thread for all
 * stores of the process, started when the first log has grown long, because it takes some megabytes. Rejects on
 * failure, and once the thread has ended.
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
  // The thread does not keep the process alive.
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
