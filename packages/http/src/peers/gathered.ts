import { AsyncLocalStorage } from 'node:async_hooks'
import { mostInBatch } from '@bursar/contracts/batch'
import { isCallError } from './call-error'

interface Options<I, O> {
  /** The call for one input. */
  one: (input: I) => Promise<O>
  /** The call for several: one answer for each, in their order; null where only a call for it alone can tell. */
  many: (inputs: I[]) => Promise<readonly (O | null)[]>
  /** How many calls may run at a time. Inputs that arrive meanwhile share the next ones. */
  calls: number
}

interface Waiting<I, O> {
  readonly input: I
  /** Runs something in the caller's asynchronous context: a call for it alone bears its request's id. */
  readonly within: <R>(run: () => R) => R
  readonly resolve: (answer: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines single calls into batch calls: inputs of one turn of the event loop, and those that arrive while `calls` calls are
 * running, share a call. Each input gets its own answer. If the batch is refused as a whole, or has no answer for an input,
 * that input is asked alone. After a timeout all inputs of the call reject.
 */
export function gathered<I, O>({ one, many, calls }: Options<I, O>): (input: I) => Promise<O> {
  const outside = AsyncLocalStorage.snapshot()
  const waiting: Waiting<I, O>[] = []
  /** Inputs that must be asked alone. */
  const alone: Waiting<I, O>[] = []
  let underWay = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || underWay >= calls) return
    isScheduled = true
    setImmediate(outside, begin)
  }

  function begin() {
    isScheduled = false
    while (underWay < calls) {
      const batch = alone.length > 0 ? alone.splice(0, 1) : waiting.splice(0, mostInBatch)
      const [first] = batch
      if (!first) return
      underWay += 1
      void (batch.length === 1 ? askOne(first) : askMany(batch)).finally(() => {
        underWay -= 1
        schedule()
      })
    }
  }

  const askOne = ({ input, within, resolve, reject }: Waiting<I, O>) => within(() => one(input)).then(resolve, reject)

  async function askMany(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const answers = await many(batch.map(({ input }) => input))
      for (const [i, each] of batch.entries()) {
        const answer = answers[i] ?? null
        if (answer === null) alone.push(each)
        else each.resolve(answer)
      }
    } catch (error) {
      if (saysNothing(error)) alone.push(...batch)
      else for (const { reject } of batch) reject(error)
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, within: AsyncLocalStorage.snapshot(), resolve, reject })
      schedule()
    })
}

/** A refused or broken answer may concern one input only; an unreachable service concerns all. */
const saysNothing = (error: unknown): boolean =>
  isCallError(error) && (error.problem === 'broken' || (error.problem === 'refused' && (error.status ?? 0) < 502))
