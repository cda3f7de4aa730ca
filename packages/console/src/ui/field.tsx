import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import { fieldProblem } from './field-problem'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

interface Words {
  label: ComponentChildren
  hint?: ComponentChildren
}

/**
 * What a control of a form shows when the browser refuses to submit it: a sentence below it instead of the browser's own
 * bubble. The first such control of the form takes the focus. `control` is spread on it.
 */
export function useChecked(hint?: ComponentChildren) {
  const id = useId()
  const [problem, setProblem] = useState<string | null>(null)
  return {
    id,
    problem,
    control: {
      id,
      'aria-invalid': problem !== null,
      'aria-describedby':
        [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ') || undefined,
      onInvalid(event: TargetedEvent<Control>) {
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

/** The label of a control, its hint, and the sentence of `useChecked`. */
export function Labelled({
  of: { id, problem },
  label,
  hint,
  children,
}: Words & { of: { id: string; problem: string | null }; children: ComponentChildren }) {
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

/** The sentence below a control that was refused. */
export const Problem = ({ id, children }: { id: string; children: string | null }) =>
  children ? (
    <p class="field-problem" id={`${id}-problem`}>
      {children}
    </p>
  ) : null

export type FieldProps = Words & JSX.IntrinsicElements['input']

/** A labelled input of a form; the browser suggests nothing for it unless `autoComplete` says what it is. */
export function Field({ label, hint, autoComplete = 'off', ...rest }: FieldProps) {
  const of = useChecked(hint)
  return (
    <Labelled of={of} label={label} hint={hint}>
      <input autoComplete={autoComplete} {...rest} {...of.control} />
    </Labelled>
  )
}

/** A labelled text of several lines. */
export function TextField({ label, hint, ...rest }: Words & JSX.IntrinsicElements['textarea']) {
  const of = useChecked(hint)
  return (
    <Labelled of={of} label={label} hint={hint}>
      <textarea {...rest} {...of.control} />
    </Labelled>
  )
}

/** A labelled select; its options are its children. */
export function Choice({ label, hint, children, ...rest }: Words & JSX.IntrinsicElements['select']) {
  const of = useChecked(hint)
  return (
    <Labelled of={of} label={label} hint={hint}>
      <select {...rest} {...of.control}>
        {children}
      </select>
    </Labelled>
  )
}

/** An amount in decimals, to be read by `text`, which trims it. */
export const AmountField = (props: FieldProps) => (
  <Field
    inputMode="decimal"
    pattern="\s*[0-9]+(\.[0-9]+)?\s*"
    title="Write a number such as 1250.50."
    maxLength={80}
    {...props}
  />
)
