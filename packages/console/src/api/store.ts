import { useEffect, useReducer } from 'preact/hooks'

/** A value that components can subscribe to. */
interface Store<T> {
  get(): T
  set(value: T): void
  /** Returns how to stop. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The store's value; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useReducer((count: number, _: undefined) => count + 1, 0)
  const rendered = store.get()
  useEffect(() => {
    // It may have changed between the rendering and the subscription.
    if (!Object.is(store.get(), rendered)) render(undefined)
    return store.subscribe(() => render(undefined))
  }, [store])
  return rendered
}
