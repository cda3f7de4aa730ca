import type { Institution, InstitutionRow } from './institution-query'

export interface Step {
  title: string
  state: 'done' | 'now' | 'failed' | 'next'
  at: string | null
  /** Instead of a time. */
  words: string
}

type Handover = { status: 'NONE' | 'PENDING' | 'DONE' | 'FAILED'; doneAt: string | null }
type Facts = Pick<InstitutionRow, 'status' | 'createdAt' | 'approvedAt'> &
  Partial<Pick<Institution, 'invitation' | 'admission'>>

/** The steps of an institution from its registration to its participation. */
export function stepsOf({ status, createdAt, approvedAt, invitation, admission }: Facts): Step[] {
  return [
    { title: 'Registered', state: 'done', at: createdAt, words: '' },
    handed('First user invited', invitation),
    review(status, approvedAt),
    handed('Takes part', admission),
  ]
}

function handed(title: string, handover: Handover | undefined): Step {
  switch (handover?.status) {
    case 'DONE':
      return { title, state: 'done', at: handover.doneAt, words: '' }
    case 'PENDING':
      return { title, state: 'now', at: null, words: 'under way' }
    case 'FAILED':
      return { title, state: 'failed', at: null, words: 'refused' }
    default:
      return { title, state: 'next', at: null, words: 'after the approval' }
  }
}

function review(status: InstitutionRow['status'], approvedAt: string | null): Step {
  if (status === 'REJECTED') return { title: 'Review', state: 'failed', at: null, words: 'rejected' }
  if (approvedAt) return { title: 'Approved', state: 'done', at: approvedAt, words: '' }
  if (status === 'OFFBOARDED') return { title: 'Review', state: 'failed', at: null, words: 'offboarded' }
  return { title: 'Review', state: 'now', at: null, words: status === 'UNDER_REVIEW' ? 'under way' : 'not started' }
}
