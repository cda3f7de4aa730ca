import { sha256 } from '@bursar/http'
import type { auditTrail } from './audit-trail.table'

/** A row of the audit trail. */
export type AuditRow = typeof auditTrail.$inferSelect

/** The previous hash of the first row. */
export const genesis = '0'.repeat(64)

/** The hash that seals a row: over every field of it and the hash of the row before. */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  // JSON separates the fields, whatever they contain.
  const text = JSON.stringify([
    row.previousHash,
    row.number,
    row.actId,
    row.step,
    row.at.getTime(),
    row.door,
    row.actor,
    row.roles,
    row.session,
    row.address,
    row.service,
    row.action,
    row.object,
    row.status,
    row.requestId,
    row.detail,
  ])
  return sha256(text)
}

/** The position up to which a chain was checked. */
export interface ChainEnd {
  readonly number: number
  readonly hash: string
}

/** The problem of the row after `end`, in a sentence; null when it is valid. */
export function breakAt({ number, hash }: ChainEnd, row: AuditRow): string | null {
  if (row.number !== number + 1) return `Row ${number + 1} is missing: row ${row.number} follows row ${number}`
  if (row.previousHash !== hash) return `Row ${row.number} does not follow from row ${number}: one of them was changed`
  return hashOf(row) === row.hash ? null : `Row ${row.number} is not as it was written`
}
