import { useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../api/api-error'
import { idempotencyKey } from '../api/http'
import { proofField, showSecondFactor } from '../api/second-factor'
import type { ActInput } from './act'
import { announce } from './announce'

interface Progress<Item, Result> {
  /** How many were sent. */
  sent: number
  results: readonly Result[]
  refused: readonly { item: Item; error: ApiError }[]
}

/** What a decision waits for: a second factor, a log-in, or an answer of the gateway. */
export type Needed = 'proof' | 'session' | 'answer'

/** `stopped`: the others wait; `error` is why the verification of the second factor failed. */
export type RunState<Item, Result> =
  | { is: 'asked' }
  | ({ is: 'running' } & Progress<Item, Result>)
  | ({ is: 'ended' } & Progress<Item, Result>)
  | ({ is: 'stopped'; needs: Needed; error: ApiError | null } & Progress<Item, Result>)

export type RunInput = Pick<ActInput, 'note' | 'headers'>

interface Run<Item, Result> {
  of: readonly Item[]
  send(item: Item, input: RunInput): Promise<Result>
  /** All were sent, or the others wait. */
  onPause(state: RunState<Item, Result>): void
}

/**
 * Sends a decision for each item, one after the other: one that is refused holds up no other. Without a second factor where
 * it is needed, a session or an answer it stops, and goes on from there: the same key does nothing twice.
 */
export function useRunMany<Item extends { id: string }, Result>({ of, send, onPause }: Run<Item, Result>) {
  const [state, setState] = useState<RunState<Item, Result>>({ is: 'asked' })
  const note = useRef('')
  const isRunning = useRef(false)
  // One key per item and dialog: a repeat after a lost answer does nothing twice.
  const keys = useRef(new Map(of.map(({ id }) => [id, idempotencyKey()])))

  async function run(form: FormData) {
    if (isRunning.current || state.is === 'running' || state.is === 'ended') return
    isRunning.current = true
    await start(form, state)
    isRunning.current = false
  }

  async function start(form: FormData, state: Exclude<RunState<Item, Result>, { is: 'running' | 'ended' }>) {
    if (state.is === 'asked') note.current = String(form.get('note') ?? '').trim()
    else if (state.needs === 'proof' && !(await isShown(form, state))) return
    await goOn(state.is === 'asked' ? { sent: 0, results: [], refused: [] } : state)
  }

  async function isShown(form: FormData, stopped: Extract<typeof state, { is: 'stopped' }>): Promise<boolean> {
    // Its fields may not be there yet.
    if (!form.has(proofField.by)) return false
    setState({ ...stopped, is: 'running' })
    try {
      await showSecondFactor(form)
      return true
    } catch (cause) {
      setState({ ...stopped, error: asApiError(cause) })
      announce(asApiError(cause).message)
      return false
    }
  }

  async function goOn({ sent: first, ...known }: Progress<Item, Result>) {
    const [results, refused] = [[...known.results], [...known.refused]]
    for (const [at, item] of of.entries()) {
      if (at < first) continue
      setState({ is: 'running', sent: at, results: [...results], refused: [...refused] })
      try {
        const key = keys.current.get(item.id) ?? idempotencyKey()
        results.push(await send(item, { note: note.current, headers: { 'Idempotency-Key': key } }))
      } catch (cause) {
        const error = asApiError(cause)
        const needs = neededAfter(error)
        if (needs) return pause({ is: 'stopped', needs, error: null, sent: at, results, refused })
        refused.push({ item, error })
      }
    }
    pause({ is: 'ended', sent: of.length, results, refused })
  }

  function pause(next: RunState<Item, Result>) {
    setState(next)
    onPause(next)
  }
  return { run, state }
}

function neededAfter({ code, status }: ApiError): Needed | null {
  if (code === 'SECOND_FACTOR_NEEDED') return 'proof'
  return status === 401 ? 'session' : status === 0 ? 'answer' : null
}
