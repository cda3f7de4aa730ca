import { auditAssets } from './audit-assets'
import { auditChain } from './audit-chain'
import { asDifference } from './audit-difference'
import { auditEnds } from './audit-ends'
import { auditMovements } from './audit-movements'
import { auditReturns } from './audit-returns'
import { type AuditSource, sumAudit } from './audit-sums'
import { auditTransactions } from './audit-transactions'

export interface AuditReport {
  /** Entries that the balances and rollups were recomputed from. */
  entries: number
  /** Entries whose hash chain was recomputed; the rest is not sealed yet. */
  sealed: number
  balances: number
  transactions: number
}

/**
 * Audits everything once: the ends of the journal and of its seals, the hash chain, every balance and rollup, every
 * transaction. Throws AuditDifference at the first difference. May run beside the service.
 */
export async function auditAll(source: AuditSource): Promise<AuditReport> {
  const { read } = source
  try {
    await auditEnds(read)
    await auditAssets(read)
    const sealed = await drain(auditChain(read))
    const sums = sumAudit(source)
    await drain(sums.sweep())
    const transactions = await drain(auditTransactions(read))
    await drain(auditMovements(read))
    await auditReturns(read)
    return { entries: sums.entries(), sealed, balances: sums.balances(), transactions }
  } catch (error) {
    throw asDifference(error)
  }
}

async function drain(steps: AsyncGenerator<number>): Promise<number> {
  let total = 0
  for await (const step of steps) total += step
  return total
}
