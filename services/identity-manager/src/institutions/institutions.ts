import { endedInstitutions, institutionReplicas } from '@bursar/http'
import { eq } from '@bursar/store'
import { participants, pfis } from './institutions.table'

export const institutions = institutionReplicas({ pfis, participants })

/** Whether an institution was offboarded or deleted: its users cannot log in, and their sessions end. */
export const hasEnded = endedInstitutions({ pfis, participants })

/** The status of institutions that have ended. */
export const isOffboarded = eq(pfis.status, 'OFFBOARDED')
