import { recordLog } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import {
  type Cause,
  causeOf,
  closeShortfall,
  listShortfalls,
  openShortfall,
  type Shortfall,
} from '../movements/shortfalls'
import { type Holdings, isShort } from './reconcile-holdings'

/** The lines that were short in two consecutive rounds, by `nameOf`: not a momentary difference. */
export type ShortTwice = ReadonlySet<string>

interface Found {
  accountId: string | null
  assetId: string
  /** Null if there is no shortfall. */
  reason: string | null
  isTwice: boolean
}

/**
 * Opens a shortfall for what was short in two consecutive rounds, and closes those that are covered again: of each
 * portfolio, and of all accounts together if the gate is on. Shortfalls that could not be checked stay. Each change is
 * logged.
 */
export async function holdByChains(
  tx: Tx,
  { lines, portfolios }: Holdings,
  twice: ShortTwice,
  solvencyGate: boolean,
  now: Date,
): Promise<void> {
  const open = new Map((await listShortfalls(tx)).map((row) => [row.key, row]))
  const seen: Found[] = portfolios.flatMap((line) => {
    if (line.held === null) return []
    const { accountId, assetId } = line
    const [held, owed] = [formatAmount(line.held, line.decimals), formatAmount(line.amount, line.decimals)]
    const reason = `The portfolio’s addresses hold ${held} ${line.code}; the ledger has ${owed}`
    return [{ accountId, assetId, reason: isShort(line) ? reason : null, isTwice: twice.has(nameOf(line)) }]
  })
  for (const line of lines) {
    if (line.held === null) continue
    const isHeldUp = solvencyGate && isShort(line) && !line.isSimulated
    const [held, owed] = [formatAmount(line.held, line.decimals), formatAmount(line.amount, line.decimals)]
    const reason = `${held} ${line.code} are held on ${line.network}, ${owed} are owed: top up ${topUpOf(line)}`
    for (const assetId of line.assetIds) {
      seen.push({ accountId: null, assetId, reason: isHeldUp ? reason : null, isTwice: twice.has(nameOf(line)) })
    }
  }
  for (const found of seen) await apply(tx, found, open, now)
  await forgetEmpty(tx, portfolios, open, now)
}

/** The missing amount as a decimal in the asset's unit; 0 if nothing is missing. */
export const topUpOf = (line: { held: bigint | null; amount: bigint; decimals: number }): string =>
  formatAmount(isShort(line) ? line.amount - (line.held ?? 0n) : 0n, line.decimals)

/** Identifies a line across rounds. */
export const nameOf = (line: { accountId?: string; network: string; contractAddress: string | null }): string =>
  `${line.accountId ?? 'all'} ${line.network} ${line.contractAddress}`

async function apply(tx: Tx, { accountId, assetId, reason, isTwice }: Found, open: Open, now: Date): Promise<void> {
  const known = [...open.values()].find((row) => isOf(row, accountId, assetId))
  if (reason === null) {
    if (known) await close(tx, known, now)
    return
  }
  if (!isTwice && !known) return
  await openShortfall(tx, { accountId, assetId, reason, since: now })
  if (!known)
    await tell(
      tx,
      { accountId, assetId, reason },
      'FAILURE',
      'Withdrawals wait: less is on a chain than the books hold',
      now,
    )
}

type Open = ReadonlyMap<string, Shortfall>

/** Closes the shortfalls of portfolios that no longer have a balance. */
async function forgetEmpty(tx: Tx, portfolios: Holdings['portfolios'], open: Open, now: Date): Promise<void> {
  for (const row of open.values()) {
    if (row.accountId === null || !isOf(row, row.accountId, row.assetId)) continue
    const isThere = portfolios.some((line) => line.accountId === row.accountId && line.assetId === row.assetId)
    if (!isThere) await close(tx, row, now)
  }
}

async function close(tx: Tx, { accountId, assetId, reason }: Shortfall, now: Date): Promise<void> {
  await closeShortfall(tx, accountId, assetId, cause)
  await tell(
    tx,
    { accountId, assetId, reason },
    'SUCCESS',
    'Withdrawals go on: the chain has again what the books hold',
    now,
  )
}

const cause: Cause = 'holdings'

const isOf = (row: Shortfall, accountId: string | null, assetId: string): boolean =>
  row.accountId === accountId && row.assetId === assetId && causeOf(row) === cause

const tell = (
  tx: Tx,
  of: Pick<Shortfall, 'accountId' | 'assetId' | 'reason'>,
  status: 'SUCCESS' | 'FAILURE',
  message: string,
  at: Date,
) =>
  recordLog(tx, {
    service: 'core-ledger',
    requestId: of.assetId,
    at,
    event_type: 'ERROR_OCCURRED',
    status,
    metadata: { message, account_id: of.accountId, asset_id: of.assetId, reason: of.reason },
  })
