import { isCallError } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import type { Db } from '@bursar/store'
import { auditDeposits, noFigures } from '../../services/core-ledger/src/audit/audit-deposits'
import { clientOf, NoSecretError } from '../stack/client'

/** Compares all credited deposits with their chains, and returns the result in words. Throws AuditDifference. */
export async function checkDeposits(read: Db, dataDir: string): Promise<string> {
  const figures = noFigures()
  try {
    const client = clientOf('core-ledger', dataDir)
    const isProduction = environment().ENVIRONMENT === 'production'
    for await (const _ of auditDeposits({ read, client, isProduction }, figures));
  } catch (error) {
    if (isCallError(error) || error instanceof NoSecretError) return `not compared with their chains: ${error.message}`
    throw error
  }
  const { onChain, byHand, reversed, notCompared } = figures
  const words = [
    `${onChain} credited deposits are on their chains`,
    byHand > 0 && `${byHand} were recorded by hand and are on none, as the sandbox allows`,
    reversed > 0 && `${reversed} were taken off them again`,
    notCompared > 0 && `${notCompared} are not compared: their networks cannot be asked`,
  ]
  return words.filter((word) => word !== false).join(', ')
}
