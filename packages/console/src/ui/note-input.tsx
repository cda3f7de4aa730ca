import { useId, useRef } from 'preact/hooks'
import { Button } from './button'

export interface NoteField {
  label: string
  /** Who sees it, and where it is kept. */
  hint?: string
  /** The minimum length; 0 or undefined: it may be empty. */
  min?: number
  suggestions?: readonly string[]
}

/** The reason or note of a decision: Enter confirms it, Shift and Enter begin a new line. */
export function NoteInput({ label, hint, min = 0, suggestions = [] }: NoteField) {
  const id = useId()
  const text = useRef<HTMLTextAreaElement>(null)
  return (
    <div class="field">
      <label for={id}>
        {label} {min === 0 ? <span class="hint">(optional)</span> : null}
      </label>
      <textarea
        ref={text}
        id={id}
        name="note"
        rows={3}
        maxLength={1000}
        minLength={min || undefined}
        required={min > 0}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          text.current?.form?.requestSubmit()
        }}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened for it
        autoFocus
      />
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {suggestions.length > 0 ? (
        <div class="suggestions">
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              isSmall
              onClick={() => {
                if (text.current) text.current.value = suggestion
                text.current?.focus()
              }}
            >
              {suggestion}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
