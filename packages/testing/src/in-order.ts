import { test } from 'bun:test'

/** One step of a story. */
export type Step = (name: string, body: () => Promise<void>) => void

/**
 * Steps that tell one story run as one test, in the order in which they stand, whatever order tests run in:
 * `inOrder('a deposit and what follows', (step) => { step('arrives', async () => …) })`. The name of a step that fails
 * goes before its error.
 */
export function inOrder(title: string, tell: (step: Step) => void): void {
  const steps: { name: string; body: () => Promise<void> }[] = []
  tell((name, body) => void steps.push({ name, body }))
  test(title, async () => {
    for (const { name, body } of steps) {
      await body().catch((error: unknown) => {
        if (error instanceof Error) error.message = `${name}: ${error.message}`
        throw error
      })
    }
  })
}
