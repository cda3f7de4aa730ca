import { noSiblings, type Siblings } from '@bursar/bus'

/** Lets routes and consumers wake the worker that carries out what they have requested. */
export interface Wakes {
  wake(): void
  on(wake: () => void): void
}

/** With `siblings` the workers of the service's other instances are woken too. */
export function createWakes(siblings: Siblings = noSiblings): Wakes {
  let wake = () => {}
  return {
    wake() {
      wake()
      siblings.tell(topic)
    },
    on(next) {
      wake = next
      siblings.on(topic, () => next())
    },
  }
}

const topic = 'work'
