import {
  type TransactionPhase as Phase,
  type PhaseName,
  phaseNames,
  phaseStatuses,
} from '@bursar/contracts/core-ledger'
import { isoTime } from '@bursar/contracts/iso-time'

export { type Phase, type PhaseName, phaseNames, phaseStatuses }

/** The phases of a transaction, also of one that has not moved yet. */
export const phasesOf = (row: { phases: Phase[] | null; createdAt: Date }): Phase[] => {
  if (row.phases) return row.phases
  const at = isoTime(row.createdAt)
  return [
    { name: 'created', status: 'COMPLETED', startedAt: at, completedAt: at, detail: null },
    { name: 'screening', status: 'IN_PROGRESS', startedAt: at, completedAt: null, detail: null },
  ]
}

/** Begins a phase; one that has already begun is unchanged. */
export const startPhase = (phases: Phase[], name: PhaseName, at: Date, detail: string | null = null): Phase[] =>
  phases.some((phase) => phase.name === name)
    ? phases
    : [...phases, { name, status: 'IN_PROGRESS', startedAt: isoTime(at), completedAt: null, detail }]

/** Goes back to a phase that had ended: it is in progress again, and later phases are removed. */
export function reopenPhase(phases: Phase[], name: PhaseName): Phase[] {
  const place = phaseNames.indexOf(name)
  return phases
    .filter((phase) => phaseNames.indexOf(phase.name) <= place)
    .map((phase) =>
      phase.name === name ? { ...phase, status: 'IN_PROGRESS', completedAt: null, detail: null } : phase,
    )
}

/**
 * Ends every phase in progress, and the named ones, which are added if missing. `detail` is stored with the ended ones;
 * null keeps theirs.
 */
export function endPhases(
  phases: Phase[],
  names: readonly PhaseName[],
  status: 'COMPLETED' | 'FAILED',
  at: Date,
  detail: string | null,
): Phase[] {
  const begun = names.reduce((all, name) => startPhase(all, name, at), phases)
  return begun.map((phase) =>
    phase.status === 'IN_PROGRESS'
      ? { ...phase, status, completedAt: isoTime(at), detail: detail ?? phase.detail }
      : phase,
  )
}
