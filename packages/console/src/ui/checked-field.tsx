import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import { fieldProblem } from './field-problem'

export type CheckedInput = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * What a form's field shows when the browser refuses to submit it: a sentence below it, instead of the browser's own
 * bubble. The first such field of the form takes the focus.
 */
export function useProblem() {
  const [problem, setProblem] = useState<string | null>(null)
  return {
    problem,
    checks: {
      onInvalid(event: TargetedEvent<CheckedInput>) {
        event.preventDefault()
        const { currentTarget: input } = event
        setProblem(fieldProblem(input))
        if (input.form?.querySelector(':is(input, select, textarea):invalid') === input) input.focus()
      },
      onInput() {
        setProblem(null)
      },
    },
  }
}

interface Shell {
  label: ComponentChildren
  hint?: ComponentChildren
}

/** The ids that describe a field: its hint, and its problem while it has one. */
const describedBy = (id: string, hint: unknown, problem: string | null): string | undefined =>
  [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ') || undefined

/** The sentence below a field that was refused. */
export const Problem = ({ id, children }: { id: string; children: string | null }) =>
  children ? (
    <p class="field-problem" id={`${id}-problem`}>
      {children}
    </p>
  ) : null

function Frame({
  id,
  label,
  hint,
  problem,
  children,
}: Shell & { id: string; problem: string | null; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <Problem id={id}>{problem}</Problem>
    </div>
  )
}

/** A labelled input of a form whose problems stand below it. */
export function CheckedField({ label, hint, ...rest }: Shell & JSX.IntrinsicElements['input']) {
  const id = useId()
  const { problem, checks } = useProblem()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input
        {...rest}
        {...checks}
        id={id}
        aria-invalid={problem !== null}
        aria-describedby={describedBy(id, hint, problem)}
      />
    </Frame>
  )
}

/** The same for a select; its options are its children. */
export function CheckedChoice({ label, hint, children, onChange, ...rest }: Shell & JSX.IntrinsicElements['select']) {
  const id = useId()
  const { problem, checks } = useProblem()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select
        {...rest}
        {...checks}
        onChange={onChange}
        id={id}
        aria-invalid={problem !== null}
        aria-describedby={describedBy(id, hint, problem)}
      >
        {children}
      </select>
    </Frame>
  )
}
