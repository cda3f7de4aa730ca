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

type Words = readonly [verb: string, done: string, meaning: string]
const move = (to: InstitutionStatus, look: Move['look'], [verb, done, meaning]: Words): Move => ({
  to,
  verb,
  look,
  meaning,
  done,
  needsReason: look === 'danger',
})

const reviewMeans = 'It shows everybody that the review has begun. Nothing changes for the institution.'
const startReview = move('UNDER_REVIEW', 'plain', ['Start the review', 'under review', reviewMeans])
const approvalMeans = 'From now on it takes part in payments: other institutions can pay it, and it can pay them.'
const approve = move('APPROVED', 'main', ['Approve', 'approved', approvalMeans])
const resume = move('APPROVED', 'main', ['Resume', 'approved', 'It takes part in payments again.'])
const rejectionMeans = 'It does not take part. It can be reviewed again later.'
const reject = move('REJECTED', 'danger', ['Reject', 'rejected', rejectionMeans])
const pause = move('PAUSED', 'danger', ['Pause', 'paused', 'It takes no part in payments until it is resumed.'])
const endMeans = 'It no longer takes part, and its API keys end at once. This cannot be undone.'
const offboard = move('OFFBOARDED', 'danger', ['Offboard', 'offboarded', endMeans])

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
