import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../api/api-error'
import { idempotencyKey } from '../api/http'
import { proofField, showSecondFactor } from '../api/second-factor'
import { counted } from '../format/words'
import type { ActInput } from './act'
import { announce, notify } from './announce'
import { Button } from './button'
import type { Selecting } from './data-table'
import { Dialog } from './dialog'
import { Id } from './id'
import { Meter } from './meter'
import { type NoteField, NoteInput } from './note-input'
import { OwnProofFields } from './proof-fields'
import { ErrorNote } from './states'

interface Props<Item, Result> {
  title: string
  /** On the button, before the number: `Approve`. */
  verb: string
  /** One of them: `payment`. */
  thing: string
  look?: 'main' | 'danger'
  note: NoteField
  of: readonly Item[]
  send(item: Item, input: RunInput): Promise<Result>
  /** Reads again what was changed. */
  readAgain(): void
  /** All were sent; some may have been refused. */
  onEnded?(refused: number): void
  /** The sums, and the effect. */
  children: ComponentChildren
  /** What was done, in a few words: `3 payments approved`. */
  done(results: readonly Result[]): string
  /** Names one that was refused. */
  name(item: Item): ComponentChildren
  onClose(): void
}

/** Why the others wait. */
const whys: Record<Needed, string> = {
  proof: 'The remaining ones need your second factor.',
  session: 'Your session has ended. The remaining ones were not sent.',
  answer: 'No answer came. Going on is safe: nothing is done twice.',
}

/** The dialog of one decision about many: confirmed once, with one reason. It stays while some were refused. */
export function RunDialog<Item extends { id: string }, Result>(props: Props<Item, Result>) {
  const { title, verb, thing, look = 'main', note, of, children, onClose } = props
  const { run, state } = useRunMany({ ...props, onPause })

  function onPause(paused: RunState<Item, Result>) {
    props.readAgain()
    if (paused.is === 'stopped') {
      return announce(`${counted(of.length - paused.sent, thing)} wait. ${whys[paused.needs]}`)
    }
    if (paused.is !== 'ended') return
    const [words, refused] = [props.done(paused.results), paused.refused.length]
    props.onEnded?.(refused)
    if (refused > 0) return announce(`${words}, ${refused} refused`)
    notify(words)
    onClose()
  }

  const isRunning = state.is === 'running'
  const waiting = of.length - (state.is === 'stopped' ? state.sent : 0)
  return (
    <Dialog title={title} isWide onClose={() => (isRunning ? undefined : onClose())}>
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        {children}
        {state.is === 'asked' ? <NoteInput {...note} /> : <Results {...props} state={state} />}
        {state.is === 'stopped' ? (
          <>
            <p>{whys[state.needs]}</p>
            {state.needs === 'proof' ? (
              <OwnProofFields label="Code of your second factor" then="go on" takesFocus />
            ) : null}
            {state.error ? <ErrorNote error={state.error} /> : null}
          </>
        ) : null}
        <div class="act-buttons">
          <Button onClick={onClose} disabled={isRunning}>
            {state.is === 'ended' || state.is === 'stopped' ? 'Close' : 'Cancel'}
          </Button>
          {state.is === 'ended' ? null : (
            <Button type="submit" look={look} disabled={isRunning} aria-busy={isRunning}>
              {isRunning ? `${state.sent} of ${of.length}…` : `${verb} ${counted(waiting, thing)}`}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Results<Item extends { id: string }, Result>({
  of,
  done,
  name,
  state: { sent, results, refused },
}: Pick<Props<Item, Result>, 'of' | 'done' | 'name'> & {
  state: Exclude<RunState<Item, Result>, { is: 'asked' }>
}) {
  return (
    <div class="act" role="status">
      <Meter value={sent} max={of.length} words={`${sent} of ${of.length} sent`} />
      <p>
        {done(results)}
        {refused.length > 0 ? `, ${refused.length} refused:` : ''}
      </p>
      {refused.length > 0 ? (
        <ul class="refusals">
          {refused.map(({ item, error }) => (
            <li key={item.id}>
              {name(item)}
              <span class="sub">
                {error.message}
                {error.isUncertain ? '; it may have been carried out' : ''}{' '}
                {error.requestId ? <Id value={error.requestId} /> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** The rows of a list that are selected for one act; those that leave the list are no longer selected. */
export function useSelected<Row extends { id: string }>(
  rows: readonly Row[] = [],
  of: Pick<Selecting<Row>, 'nameOf' | 'isSelectable'>,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Selects all of them, or none if all are selected. */
  const toggle = (items: readonly Row[]) => {
    const isAll = items.every(({ id }) => ids.has(id))
    const next = new Set(ids)
    for (const { id } of items) isAll ? next.delete(id) : next.add(id)
    setIds(next)
  }
  return {
    selected: rows.filter((row) => ids.has(row.id) && of.isSelectable?.(row) !== false),
    selecting: { ...of, isSelected: ({ id }: Row) => ids.has(id), toggle: (row: Row) => toggle([row]) },
    toggle,
    clear: () => setIds(new Set()),
    drop: (gone: readonly string[]) => setIds(new Set([...ids].filter((id) => !gone.includes(id)))),
  }
}

interface BarProps {
  of: readonly unknown[]
  /** One of them: `payment`. */
  thing: string
  sums: ComponentChildren
  clear(): void
  /** What can be decided about all of them. */
  children: ComponentChildren
}

/** What is selected, its exact sums, and what can be done with all of it. */
export const SelectionBar = ({ of, thing, sums, clear, children }: BarProps) => (
  <section class="card selection" aria-label={`Selected ${thing}s`}>
    <strong>{counted(of.length, thing)} selected</strong>
    {sums}
    <div class="selection-acts">
      <Button isSmall look="quiet" icon="cross" onClick={clear}>
        Clear
      </Button>
      {children}
    </div>
  </section>
)

interface Progress<Item, Result> {
  /** How many were sent. */
  sent: number
  results: readonly Result[]
  refused: readonly { item: Item; error: ApiError }[]
}

/** What a decision waits for: a second factor, a log-in, or an answer of the gateway. */
type Needed = 'proof' | 'session' | 'answer'

/** `stopped`: the others wait; `error` is why the verification of the second factor failed. */
type RunState<Item, Result> =
  | { is: 'asked' }
  | ({ is: 'running' } & Progress<Item, Result>)
  | ({ is: 'ended' } & Progress<Item, Result>)
  | ({ is: 'stopped'; needs: Needed; error: ApiError | null } & Progress<Item, Result>)

type RunInput = Pick<ActInput, 'note' | 'headers'>

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
function useRunMany<Item extends { id: string }, Result>({ of, send, onPause }: Run<Item, Result>) {
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
