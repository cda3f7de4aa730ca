import { useLayoutEffect, useRef } from 'preact/hooks'
import { type KeyState, nextKey } from './key-sequence'

interface KeyBinding {
  /** `a`, `?`, `Enter`, or a sequence such as `g t`. */
  readonly key: string
  /** For the help: `Approve`. */
  readonly does: string
  /** Where it works: `Everywhere`, `Lists`, `This page`. */
  readonly group?: string
  run(): void
}

const bindings = new Set<KeyBinding>()
let state: KeyState = { begun: '' }

/** All present bindings, the latest first: it wins over earlier ones of the same key. */
export const boundKeys = (): KeyBinding[] => [...bindings].reverse()

const isTyped = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open]') !== null

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey
  const known = new Set([...bindings].map(({ key }) => key))
  const dialogIsOpen = document.querySelector('dialog[open]') !== null
  const next = nextKey(state, { key: event.key, hasModifier, isTyped: dialogIsOpen || isTyped(event.target) }, known)
  state = next.state
  const binding = boundKeys().find(({ key }) => key === next.action)
  if (!binding) return
  event.preventDefault()
  binding.run()
}

/** Listens for all keys; called once, at the start. */
export const listenForKeys = (): void => addEventListener('keydown', press)

/** Binds keys while the component is shown. */
export function useKeys(own: readonly KeyBinding[]): void {
  const latest = useRef(own)
  latest.current = own
  const names = own.map(({ key }) => key).join('|')
  // With what it says on the screen: a key that comes before the next paint works too.
  useLayoutEffect(() => {
    const added = latest.current.map((binding, i) => ({ ...binding, run: () => latest.current[i]?.run() }))
    for (const binding of added) bindings.add(binding)
    return () => {
      for (const binding of added) bindings.delete(binding)
    }
  }, [names])
}
