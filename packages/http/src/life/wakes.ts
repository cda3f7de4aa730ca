/** Lets routes and consumers wake the worker that carries out what they have requested. */
export interface Wakes {
  wake(): void
  on(wake: () => void): void
}

export function createWakes(): Wakes {
  let wake = () => {}
  return {
    wake: () => wake(),
    on(next) {
      wake = next
    },
  }
}
