import { openForReading, type Place } from '@bursar/store'
import { verifyTrail } from '../../services/gateway/src/audit-trail/trail'

/** Checks the audit trail of the gateway. Returns a line; empty if there is no trail. Throws if it is broken. */
export async function checkTrail(place: Place | null): Promise<string> {
  if (!place) return ''
  const database = await openForReading(place)
  try {
    // A gateway of a release without one.
    if (!(await database.tables()).includes('audit_trail')) return ''
    const { problem, rows, head, unanswered } = await verifyTrail(database)
    if (problem) throw new Error(`The audit trail of the gateway is broken. ${problem}.`)
    const open = unanswered === 0 ? '' : `, ${unanswered} actions without an answer`
    return `The audit trail is whole: ${rows} rows${open}, the last with ${head.hash}.\n`
  } finally {
    await database.close()
  }
}
