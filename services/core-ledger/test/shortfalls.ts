import type { Tx } from '@bursar/store'
import { type Cause, type Shortfall, setShortfall } from '../src/movements/shortfalls'

export const openShortfall = (tx: Tx, { reason, since, ...whose }: Omit<Shortfall, 'key'>, cause: Cause = 'holdings') =>
  setShortfall(tx, whose, cause, reason, since)

export const closeShortfall = (tx: Tx, accountId: string | null, assetId: string, cause: Cause = 'holdings') =>
  setShortfall(tx, { accountId, assetId }, cause, null, new Date())
