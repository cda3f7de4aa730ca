import { type Db, highestGiven } from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { journalHead } from '../ledger/journal-head'
import { lastSeal } from '../seals/read-journal'
import { seals } from '../seals/seals.table'
import { unsealedRows } from '../seals/unsealed-rows'
import { AuditDifference } from './audit-difference'

/**
 * Checks that nothing is missing at the end: the last entry and the last seal have the highest numbers that were ever
 * assigned, or that were sealed. The last rows are read after those numbers, because both grow meanwhile; the number of entries is read
 * again after the last entry. Throws AuditDifference.
 */
export async function auditEnds(read: Db): Promise<void> {
  const { entries } = await unsealedRows.highest(read)
  const given = {
    entries: Math.max(entries, await highestGiven(read, journal)),
    seals: await highestGiven(read, seals),
  }
  const seal = await lastSeal(read)
  const head = await journalHead(read)
  if (head < given.entries) {
    throw new AuditDifference(`The journal ends with entry ${head}; it has had entry ${given.entries}`)
  }
  if (head > (await highestGiven(read, journal))) throw new AuditDifference(`Entry ${head} was never given its number`)
  if ((seal?.number ?? 0) < given.seals) {
    throw new AuditDifference(`The last seal is number ${seal?.number ?? 0}; there was number ${given.seals}`)
  }
  if (seal && seal.lastSeq > head) {
    throw new AuditDifference(`The journal ends with entry ${head}; it is sealed up to entry ${seal.lastSeq}`)
  }
}
