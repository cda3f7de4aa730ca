import type { Session } from '../../api/session'
import type { Tone } from '../../ui/status-words'
import type { Institution, InstitutionRow, InstitutionStatus } from './institution-query'

/** A possible step of a review. The main API decides; this only hides steps that it would refuse. */
export interface Move {
  to: InstitutionStatus
  /** On the button. */
  verb: string
  look: 'main' | 'danger' | 'plain'
  /** Its effect. */
  meaning: string
  done: string
  /** Whether it needs a reason. */
  needsReason: boolean
}

const startReview: Move = {
  to: 'UNDER_REVIEW',
  verb: 'Start the review',
  look: 'plain',
  meaning: 'It shows everybody that the review has begun. Nothing changes for the institution.',
  done: 'under review',
  needsReason: false,
}
const approve: Move = {
  to: 'APPROVED',
  verb: 'Approve',
  look: 'main',
  meaning: 'From now on it takes part in payments: other institutions can pay it, and it can pay them.',
  done: 'approved',
  needsReason: false,
}
const resume: Move = { ...approve, verb: 'Resume', meaning: 'It takes part in payments again.' }
const reject: Move = {
  to: 'REJECTED',
  verb: 'Reject',
  look: 'danger',
  meaning: 'It does not take part. It can be reviewed again later.',
  done: 'rejected',
  needsReason: true,
}
const pause: Move = {
  to: 'PAUSED',
  verb: 'Pause',
  look: 'danger',
  meaning: 'It takes no part in payments until it is resumed.',
  done: 'paused',
  needsReason: true,
}
const offboard: Move = {
  to: 'OFFBOARDED',
  verb: 'Offboard',
  look: 'danger',
  meaning: 'It no longer takes part, and its API keys end at once. This cannot be undone.',
  done: 'offboarded',
  needsReason: true,
}

const moves: Record<InstitutionStatus, readonly Move[]> = {
  NOT_STARTED: [approve, startReview, reject, offboard],
  UNDER_REVIEW: [approve, reject, offboard],
  APPROVED: [pause, offboard],
  REJECTED: [{ ...startReview, verb: 'Review again' }, offboard],
  PAUSED: [resume, offboard],
  OFFBOARDED: [],
}

/** The possible next steps, the likely one first. */
export const movesFrom = (status: InstitutionStatus): readonly Move[] => moves[status]

/** Whether another person must approve it: who registered an institution does not approve it, where two persons decide. */
export const isForAnother = (
  { approvedAt, registeredBy }: Pick<InstitutionRow, 'approvedAt'> & Partial<Pick<Institution, 'registeredBy'>>,
  { user, fourEyesUsd }: Pick<Session, 'fourEyesUsd'> & { user: Pick<Session['user'], 'id'> },
): boolean => fourEyesUsd !== null && approvedAt === null && registeredBy === user.id

const tones: Record<InstitutionStatus, Tone> = {
  NOT_STARTED: 'wait',
  UNDER_REVIEW: 'wait',
  // For transactions `approved` means in progress; for institutions it is the goal.
  APPROVED: 'good',
  PAUSED: 'wait',
  REJECTED: 'bad',
  OFFBOARDED: 'plain',
}
export const toneOf = (status: InstitutionStatus): Tone => tones[status]
