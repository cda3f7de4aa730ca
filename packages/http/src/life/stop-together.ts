type Step = () => Promise<void>

/** Runs the step at the first call; all calls get its outcome. */
export function once(step: Step): Step {
  let running: Promise<void> | undefined
  return () => (running ??= step())
}

export async function inSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await step()
}

/**
 * Stops services that share a process; resolves with the errors of those that could not stop. Running work of one may
 * call another: no port closes before the workers of all have ended, and no database before all have answered.
 */
export async function stopTogether(services: readonly { readonly steps: readonly Step[] }[]): Promise<unknown[]> {
  const errors: unknown[] = []
  let left = services
  for (let at = 0; left.some(({ steps }) => at < steps.length); at++) {
    const outcomes = await Promise.allSettled(left.map(({ steps }) => steps[at]?.()))
    errors.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])))
    left = left.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  }
  return errors
}
