import { isUuid } from '@bursar/contracts/schema'
import { badField } from '../errors'

const mostParticipants = 100

/** The ids in a list separated by commas, each once; 400 for one that is no UUID, and for more than 100. */
export function idsOf(list: string): string[] {
  const ids = [...new Set(list.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => id !== '')
  if (!ids.every(isUuid)) throw badField('participantIds', 'must be UUIDs, separated by commas')
  if (ids.length > mostParticipants) throw badField('participantIds', `must have at most ${mostParticipants} ids`)
  return ids
}
