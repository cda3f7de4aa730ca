import type { OverviewData } from './overview-query'

type Day = OverviewData['series'][number]
type Kind = 'deposits' | 'withdrawals' | 'transfers'

/** The movements of one kind in a period, and in the one before. */
export interface KindFigure {
  count: number
  usd: number
  /** The change against the period before as a share: 0.12 is 12 % more. Null if there was nothing before. */
  change: number | null
}

/** A day on which money came in or went out, in USD. */
export interface NetDay {
  date: string
  in: number
  out: number
  net: number
}

/** A series of twice as many days: the last `days`, compared with those before. Assets without a rate count nothing. */
export function periodFigures(series: readonly Day[], days: number) {
  const now = series.slice(-days)
  const before = series.slice(0, -days)
  const sum = (of: readonly Day[], kind: Kind) => of.reduce((all, day) => all + (day[kind].usdValue ?? 0), 0)
  const figure = (kind: Kind): KindFigure => {
    const [usd, was] = [sum(now, kind), sum(before, kind)]
    return { count: now.reduce((all, day) => all + day[kind].count, 0), usd, change: was > 0 ? usd / was - 1 : null }
  }
  const [first, last] = [now[0]?.balances.usdValue ?? 0, now.at(-1)?.balances.usdValue ?? 0]
  return {
    deposits: figure('deposits'),
    withdrawals: figure('withdrawals'),
    transfers: figure('transfers'),
    heldChange: first > 0 ? last / first - 1 : null,
    days: now,
    netDays: now.flatMap(netDay),
  }
}

/** Days without a movement are left out. */
function netDay({ date, deposits, withdrawals }: Day): NetDay[] {
  if (deposits.count + withdrawals.count === 0) return []
  const [come, gone] = [deposits.usdValue ?? 0, withdrawals.usdValue ?? 0]
  return [{ date, in: come, out: gone, net: come - gone }]
}

/** `+12 %`, `−3.4 %`, `×14`; one digit after the point below ten. */
export function formatChange(share: number): string {
  if (share >= 10) return `×${Math.round(1 + share)}`
  const percent = Math.abs(share * 100)
  const text = percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : percent.toFixed(0)
  if (text === '0') return '±0 %'
  return `${share < 0 ? '−' : '+'}${text} %`
}
