import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { recordAlarm } from '../movements/record-alarm'
import { type Cause, causeOf, listShortfalls, type Shortfall, setShortfall } from '../movements/shortfalls'
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
  const open = (await listShortfalls(tx)).filter((row) => causeOf(row) === cause)
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
  const known = open.find(isOf({ accountId, assetId }))
  if (reason === null) {
    if (known) await close(tx, known, now)
    return
  }
  if (!isTwice && !known) return
  await setShortfall(tx, { accountId, assetId }, cause, reason, now)
  if (known) return
  const message = 'Withdrawals wait: less is on a chain than the books hold'
  await tell(tx, { accountId, assetId, reason }, 'FAILURE', message, now)
}

type Open = readonly Shortfall[]

/** Closes the shortfalls of portfolios that no longer have a balance. */
async function forgetEmpty(tx: Tx, portfolios: Holdings['portfolios'], open: Open, now: Date): Promise<void> {
  for (const row of open) {
    if (row.accountId !== null && !portfolios.some(isOf(row))) await close(tx, row, now)
  }
}

async function close(tx: Tx, row: Shortfall, now: Date): Promise<void> {
  await setShortfall(tx, row, cause, null, now)
  await tell(tx, row, 'SUCCESS', 'Withdrawals go on: the chain has again what the books hold', now)
}

const cause: Cause = 'holdings'

type Whose = Pick<Shortfall, 'accountId' | 'assetId'>
const isOf = (one: Whose) => (other: Whose) => one.accountId === other.accountId && one.assetId === other.assetId

const tell = (
  tx: Tx,
  of: Pick<Shortfall, 'accountId' | 'assetId' | 'reason'>,
  status: 'SUCCESS' | 'FAILURE',
  message: string,
  at: Date,
) =>
  recordAlarm(
    tx,
    { requestId: of.assetId, at, status },
    { message, account_id: of.accountId, asset_id: of.assetId, reason: of.reason },
  )
