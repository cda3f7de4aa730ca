// What all faults share.

import type { Unit } from './processes'
import type { Random } from './random'
import type { World } from './world'

export interface Faults {
  world: World
  random: Random
  counts: Record<string, number>
  /** What a restore has taken: promises that are excused. */
  excused: Set<string>
  print(line: string): void
  isOver(): boolean
}

export function note({ counts, print }: Faults, what: string, details = ''): void {
  counts[what] = (counts[what] ?? 0) + 1
  print(`fault: ${what}${details && ` (${details})`}`)
}

/** Waits, but not past the end of the run. */
export async function pause({ isOver }: Faults, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end && !isOver()) await Bun.sleep(50)
}

/** A busy machine takes its time; one that does not come is started again, and the end of the run looks at it. */
export async function bringBack({ world }: Faults, unit: Unit, env: Record<string, string> = {}): Promise<void> {
  world.stack.start(unit, env)
  if (await world.stack.answers(unit)) return
  await world.stack.end(unit)
  world.stack.start(unit)
  await world.stack.answers(unit)
}
