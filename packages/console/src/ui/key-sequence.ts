/** The meaning of a pressed key: an action's name, the beginning of one (`g`), or nothing. */
export interface KeyState {
  /** The earlier keys of an action with several. */
  readonly begun: string
}

interface PressedKey {
  readonly key: string
  readonly hasModifier: boolean
  /** Whether it is typed into a field, or belongs to an open dialog. */
  readonly isTyped: boolean
}

/** Recognises `g` then a letter, and single keys. `known` holds the bound keys, such as `g t` or `a`. */
export function nextKey(
  state: KeyState,
  { key, hasModifier, isTyped }: PressedKey,
  known: ReadonlySet<string>,
): { state: KeyState; action: string | null } {
  const fresh = { begun: '' }
  if (hasModifier || isTyped) return { state: fresh, action: null }
  const whole = state.begun === '' ? key : `${state.begun} ${key}`
  if (known.has(whole)) return { state: fresh, action: whole }
  const begins = [...known].some((each) => each.startsWith(`${whole} `))
  if (begins) return { state: { begun: whole }, action: null }
  // After a `g` without a match the key counts alone.
  if (state.begun !== '' && known.has(key)) return { state: fresh, action: key }
  return { state: fresh, action: null }
}
