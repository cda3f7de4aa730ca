import type { PfiStatus } from '@bursar/contracts/main-api'

/**
 * To which status a participant may be moved from each. An administrator may approve or reject at once what was reviewed
 * elsewhere. A pause ends by approving again; who is rejected may be reviewed anew; who is offboarded does not come back.
 */
const moves: Readonly<Record<PfiStatus, readonly PfiStatus[]>> = {
  NOT_STARTED: ['UNDER_REVIEW', 'APPROVED', 'REJECTED', 'OFFBOARDED'],
  UNDER_REVIEW: ['APPROVED', 'REJECTED', 'OFFBOARDED'],
  APPROVED: ['PAUSED', 'OFFBOARDED'],
  REJECTED: ['UNDER_REVIEW', 'OFFBOARDED'],
  PAUSED: ['APPROVED', 'OFFBOARDED'],
  OFFBOARDED: [],
}

export const movesFrom = (status: PfiStatus): readonly PfiStatus[] => moves[status]
