import { useEffect, useReducer } from 'preact/hooks'

/** Renders the component again. */
export function useRender(): () => void {
  const [, render] = useReducer((count: number, _: undefined) => count + 1, 0)
  return () => render(undefined)
}

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
  const render = useRender()
  const rendered = store.get()
  useEffect(() => {
    // It may have changed between the rendering and the subscription.
    if (!Object.is(store.get(), rendered)) render()
    return store.subscribe(render)
  }, [store])
  return rendered
}
