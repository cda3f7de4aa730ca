import { createClient, createIdentity, isCallError, openInternalSecret, serviceConfig } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import type { Db } from '@bursar/store'
import { auditDeposits, noFigures } from '../../services/core-ledger/src/audit/audit-deposits'

/** Compares all credited deposits with their chains, and returns the result in words. Throws AuditDifference. */
export async function checkDeposits(read: Db, dataDir: string): Promise<string> {
  const { addresses, environment: mode, internalSecret } = serviceConfig(environment(), 'core-ledger')
  const identity = createIdentity('core-ledger', openInternalSecret(dataDir, internalSecret), () => new Date())
  const client = createClient({ name: 'core-ledger', identity, urls: addresses })
  const figures = noFigures()
  try {
    const isProduction = mode === 'production'
    for await (const _ of auditDeposits({ read, client, isProduction }, figures));
  } catch (error) {
    if (isCallError(error)) return `not compared with their chains: ${error.message}`
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
