import { mostInBatch } from '@bursar/contracts/batch'
import { isUuid, t } from '@bursar/contracts/schema'
import { fail } from './errors'

/** The most ids per request. */
const mostIds = mostInBatch

/** A query value of UUIDs, separated by commas. */
export const idList = () => t.String({ maxLength: mostIds * 37 })

/** Each id once, in lower case. Fails (400) for invalid UUIDs, and for too many. */
export function idsIn(text = ''): string[] {
  const ids = [...new Set(text.toLowerCase().split(',').filter(Boolean))]
  if (ids.length <= mostIds && ids.every(isUuid)) return ids
  throw fail('INVALID_REQUEST', { message: `Give at most ${mostIds} UUIDs, with commas between them` })
}
