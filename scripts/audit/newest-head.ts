import { getNewestLedgerHead, type LedgerHead } from '@bursar/contracts/ledger-seals'
import { AppError } from '@bursar/http'
import { openForReading, type Place } from '@bursar/store'
import { newestHead, toLedgerHead } from '../../services/log-tracker/src/ledger-heads/ledger-heads'
import { clientOf } from '../stack/client'

/** The newest sealed head in the log tracker's database; null if there is none. */
export async function headFrom(place: Place): Promise<LedgerHead | null> {
  const database = await openForReading(place)
  try {
    // No log tracker has started on this server.
    if ('url' in place && (await database.tables()).length === 0) return null
    return toLedgerHead(await newestHead(database.read))
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  } finally {
    await database.close()
  }
}

/** The same from the log tracker itself; the deployment's secret comes from INTERNAL_SECRET, or the data folder. */
export const headFromService = (url: string, dataDir: string): Promise<LedgerHead | null> =>
  clientOf('core-ledger', dataDir, { 'log-tracker': url }).find(getNewestLedgerHead)
