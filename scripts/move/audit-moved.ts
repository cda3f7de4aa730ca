import { type ServiceName, services } from '@bursar/contracts/services'
import { openForReading, type Place } from '@bursar/store'
import { MoveDifference, type Source, unfinished } from '@bursar/store/move'
import { auditAll } from '../../services/core-ledger/src/audit/audit'
import { AuditDifference } from '../../services/core-ledger/src/audit/audit-difference'
import { differenceFrom } from '../../services/core-ledger/src/reconciliation/heads'
import { checkTrail } from '../audit/audit-trail'
import { headFrom } from '../audit/newest-head'

/** Audits the copied books: their seals and sums, what the tracker knows of them, the audit trail. Gives a sentence. */
export async function auditMoved(url: string, sources: ReadonlyMap<ServiceName, Source>): Promise<string> {
  const placeOf = (name: ServiceName): Place => ({ url, schema: unfinished(services[name].slug) })
  const ledger = await openForReading(placeOf('core-ledger'))
  try {
    const { entries, sealed, balances } = await auditAll(ledger)
    const written = sources.get('core-ledger')?.count('journal')
    if (entries !== written)
      throw new MoveDifference(`The audit has read ${entries} entries, and the file has ${written}`)
    const head = await headFrom(placeOf('log-tracker'))
    const difference = head && (await differenceFrom(ledger.read, head))
    if (difference) throw new AuditDifference(difference)
    const trail = await checkTrail(placeOf('gateway'))
    return [
      `The books are right there: ${entries} entries, ${sealed} of them under seals that were recomputed, ${balances} balances`,
      trail.trim(),
    ]
      .filter(Boolean)
      .join('\n')
  } finally {
    await ledger.close()
  }
}
