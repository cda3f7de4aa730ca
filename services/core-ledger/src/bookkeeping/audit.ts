import type { Db } from '@bursar/store'
import { balanceAudit } from './audit-balances'
import { auditChain } from './audit-chain'
import { auditTransactions } from './audit-transactions'
import { journalHead, lastSeal } from './read-journal'

/** What a whole audit has checked. */
export interface AuditReport {
  /** Entries that the balances were recomputed from. */
  entries: number
  /** Entries whose hash chain was recomputed; the rest is not sealed yet. */
  sealed: number
  balances: number
  transactions: number
  /** What all ledger accounts of each asset come to, by its id: 0 always. */
  sums: Map<string, bigint>
}

/**
 * Audits everything there is, once: the hash chain, every balance, every transaction. Throws AuditDifference at the
 * first difference. May run beside the service.
 */
export async function auditAll(read: Db): Promise<AuditReport> {
  const sealed = await drain(auditChain(read))
  const balances = balanceAudit(read)
  await drain(balances.sweep())
  const transactions = await drain(auditTransactions(read))
  return { entries: balances.entries(), sealed, balances: balances.balances(), transactions, sums: balances.sums() }
}

/** Entries that are not sealed yet. */
export const unsealed = async (read: Db): Promise<number> =>
  (await journalHead(read)) - ((await lastSeal(read))?.lastSeq ?? 0)

async function drain(steps: AsyncGenerator<number>): Promise<number> {
  let total = 0
  for await (const step of steps) total += step
  return total
}
