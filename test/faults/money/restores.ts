// placeholder
import type { Faults } from './faults'
import type { Unit } from './stack'

export async function restoreOne(_faults: Faults, _unit: Unit): Promise<void> {}
