import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

type Common = { label: ComponentChildren; hint?: ComponentChildren }

/** A labelled input of a form. */
export function Field({ label, hint, ...rest }: Common & JSX.IntrinsicElements['input']) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...rest} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** A labelled select of a form; its options are its children. */
export function Choice({ label, hint, children, ...rest }: Common & JSX.IntrinsicElements['select']) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...rest} id={id}>
        {children}
      </select>
      {hint ? <p class="hint">{hint}</p> : null}
    </div>
  )
}
