import { useRef } from 'preact/hooks'
import { Button } from './button'
import { Labelled, useChecked } from './field'

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
  const of = useChecked(hint)
  const text = useRef<HTMLTextAreaElement>(null)
  const check = () => {
    of.control.onInput()
    const given = text.current?.value.trim().length ?? 0
    text.current?.setCustomValidity(given < min ? `Write at least ${min} characters.` : '')
  }
  return (
    <Labelled
      of={of}
      label={
        <>
          {label} {min === 0 ? <span class="hint">(optional)</span> : null}
        </>
      }
      hint={hint}
    >
      <textarea
        {...of.control}
        ref={text}
        name="note"
        rows={3}
        maxLength={1000}
        required={min > 0}
        onInput={check}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          text.current?.form?.requestSubmit()
        }}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened for it
        autoFocus
      />
      {suggestions.length > 0 ? (
        <div class="suggestions">
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              isSmall
              onClick={() => {
                if (text.current) text.current.value = suggestion
                check()
                text.current?.focus()
              }}
            >
              {suggestion}
            </Button>
          ))}
        </div>
      ) : null}
    </Labelled>
  )
}
