/** What of `ValidityState` a sentence needs. */
export type Validity = Partial<Record<keyof ValidityState, boolean>>

interface Checked {
  validity: Validity
  type: string
  /** What the field's pattern asks for, as a sentence. */
  title?: string
  /** The browser's words, or those of `setCustomValidity`. */
  validationMessage: string
}

/** What is wrong with a field, in a sentence for below it. */
export function fieldProblem({ validity, type, title, validationMessage }: Checked): string {
  if (validity.customError) return validationMessage
  if (validity.valueMissing) return missing.get(type) ?? 'This is needed.'
  if (validity.typeMismatch && type === 'email') return 'Write an address such as name@bank.example.'
  if (validity.typeMismatch && type === 'url') return 'Write a whole URL, such as https://bank.example/hooks.'
  // Without a sentence of its own a pattern refuses spaces alone.
  if (validity.patternMismatch) return title || 'This is needed.'
  if (validationMessage === '') return 'This does not fit.'
  return /[.!?]$/.test(validationMessage) ? validationMessage : `${validationMessage}.`
}

/** By the type of the field. */
const missing: ReadonlyMap<string, string> = new Map([
  ['select-one', 'Choose one.'],
  ['file', 'Choose a file.'],
  ['checkbox', 'Choose at least one.'],
])
