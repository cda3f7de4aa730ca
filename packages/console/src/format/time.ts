export type ZoneName = 'utc' | 'local'

/** The formats of both zones; to make one takes longer than to use it. */
const formatOf = (options: Intl.DateTimeFormatOptions): Record<ZoneName, Intl.DateTimeFormat> => ({
  utc: new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }),
  local: new Intl.DateTimeFormat('en-GB', options),
})
const dayFormat = formatOf({ day: 'numeric', month: 'short' })
const dayOfYearFormat = formatOf({ day: 'numeric', month: 'short', year: 'numeric' })
const partsFormat = formatOf({ dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })

const partsOf = (date: Date, zone: ZoneName): Record<string, string> =>
  Object.fromEntries(partsFormat[zone].formatToParts(date).map(({ type, value }) => [type, value]))

/** `2026-11-18 19:26:21`; other text is returned unchanged. */
export function formatTime(iso: string, zone: ZoneName, withMs = false): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const { year, month, day, hour, minute, second } = partsOf(date, zone)
  const ms = withMs ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : ''
  return `${year}-${month}-${day} ${hour}:${minute}:${second}${ms}`
}

/**
 * For lists: `20:39` on the day of `now`, else `22 Nov`, with the year where it is another one. Other text is returned
 * unchanged.
 */
export function formatShort(iso: string, zone: ZoneName, now: number = Date.now()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const [at, today] = [partsOf(date, zone), partsOf(new Date(now), zone)]
  if (at.year === today.year && at.month === today.month && at.day === today.day) return `${at.hour}:${at.minute}`
  return (at.year === today.year ? dayFormat : dayOfYearFormat)[zone].format(date)
}

/** `UTC`, or the local zone's offset at that time: `UTC+2`. */
export function zoneLabel(zone: ZoneName, at: Date = new Date()): string {
  if (zone === 'utc') return 'UTC'
  const minutes = -at.getTimezoneOffset()
  if (minutes === 0) return 'UTC+0'
  const hours = Math.trunc(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** `2 d 12 h`, `54 min`, `7 s`, `2 ms`: the two largest units; only one for minutes and less, and where it `isShort`. */
export function formatDuration(ms: number, isShort = false): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const first = units.findIndex(([, size]) => ms >= size)
  const [name, size] = units[first] ?? units[3]
  const count = Math.floor(ms / size)
  const next = first <= 1 && !isShort ? units[first + 1] : undefined
  const rest = next ? Math.floor((ms % size) / next[1]) : 0
  return next && rest > 0 ? `${count} ${name} ${rest} ${next[0]}` : `${count} ${name}`
}

/** `23 Oct` of `2026-10-23`. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  return dayFormat.utc.format(date)
}

/** Whether it is a day of the calendar, as `2026-10-23`. To `Date`, 31 February is in March. */
const isDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

/** Periods up to now, by the word that stands for their first day in a URL. A saved view with one stays current. */
const periods = { today: 1, '7d': 7, '30d': 30 } as const
type Period = keyof typeof periods
export const isPeriod = (word: string): word is Period => Object.hasOwn(periods, word)

/** Today in the user's zone, as `2026-10-23`. */
function today(zone: ZoneName, now: number): string {
  const { year, month, day } = partsOf(new Date(now), zone)
  return `${year}-${month}-${day}`
}

/**
 * The first instant of a day of the user's zone as ISO time in UTC, for `from` and `to` of a filter; else undefined. A
 * day is `2026-10-23`, or the word of a period, which means its first one.
 */
export function dayStart(day: string, zone: ZoneName, plusDays = 0, now: number = Date.now()): string | undefined {
  if (isPeriod(day)) return dayStart(today(zone, now), zone, plusDays + 1 - periods[day])
  if (!isDay(day)) return undefined
  const date = new Date(`${day}T00:00:00${zone === 'utc' ? 'Z' : ''}`)
  if (zone === 'utc') date.setUTCDate(date.getUTCDate() + plusDays)
  else date.setDate(date.getDate() + plusDays)
  return date.toISOString()
}

/** The days of a filter for services whose times are inclusive: from the first instant to the last millisecond. */
export function periodOf({ from, to }: { from: string; to: string }, zone: ZoneName) {
  const end = dayStart(to, zone, 1)
  return { from: dayStart(from, zone), to: end && new Date(Date.parse(end) - 1).toISOString() }
}
