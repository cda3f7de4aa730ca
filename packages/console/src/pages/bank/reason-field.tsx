import { useId } from 'preact/hooks'

/** Why: kept in the history of each payment. */
export function ReasonField({ isRequired }: { isRequired: boolean }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Reason {isRequired ? null : <span class="hint">(optional)</span>}</label>
      <textarea
        id={id}
        name="note"
        rows={2}
        maxLength={2000}
        minLength={isRequired ? 3 : undefined}
        required={isRequired}
        aria-describedby={`${id}-hint`}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened for it
        autoFocus
      />
      <p class="hint" id={`${id}-hint`}>
        Kept in the history of each payment, with your name.
      </p>
    </div>
  )
}
