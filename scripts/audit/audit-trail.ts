import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { openReadOnly } from '@bursar/store'
import { verifyTrail } from '../../services/gateway/src/audit-trail/trail'

/** Checks the audit trail of the gateway. Returns a line; empty if there is no trail. Throws if it is broken. */
export async function checkTrail(dataDir: string): Promise<string> {
  const file = join(dataDir, `${services.gateway.slug}.sqlite`)
  if (!existsSync(file)) return ''
  const database = openReadOnly(file)
  try {
    // A gateway of a release without one.
    const tables = database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'audit_trail'")
    if (tables.length === 0) return ''
    const { problem, rows, head, unanswered } = await verifyTrail(database)
    if (problem) throw new Error(`The audit trail of the gateway is broken. ${problem}.`)
    const open = unanswered === 0 ? '' : `, ${unanswered} actions without an answer`
    return `The audit trail is whole: ${rows} rows${open}, the last with ${head.hash}.\n`
  } finally {
    database.close()
  }
}
