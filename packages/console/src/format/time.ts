export type ZoneName = 'utc' | 'local'

const formats = new Map<string, Intl.DateTimeFormat>()

function partsOf(date: Date, zone: ZoneName): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone === 'utc' ? 'UTC' : undefined,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(zone, format)
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]))
}

/** `2026-11-18 19:26:21`; other text is returned unchanged. */
export function formatTime(iso: string, zone: ZoneName, withMs = false): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const { year, month, day, hour, minute, second } = partsOf(date, zone)
  const ms = withMs ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : ''
  return `${year}-${month}-${day} ${hour}:${minute}:${second}${ms}`
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

/** `2 d 12 h`, `54 min`, `7 s`, `2 ms`: the two largest units; only one for minutes and less. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const first = units.findIndex(([, size]) => ms >= size)
  const [name, size] = units[first] ?? units[3]
  const count = Math.floor(ms / size)
  const next = first <= 1 ? units[first + 1] : undefined
  const rest = next ? Math.floor((ms % size) / next[1]) : 0
  return next && rest > 0 ? `${count} ${name} ${rest} ${next[0]}` : `${count} ${name}`
}

/** `23 Oct` of `2026-10-23`. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(date)
}

const dayOnly = /^\d{4}-\d{2}-\d{2}$/

/** The first instant of a day of the user's zone as ISO time in UTC, for `from` and `to` of a filter; else undefined. */
export function dayStart(day: string, zone: ZoneName, plusDays = 0): string | undefined {
  if (!dayOnly.test(day)) return undefined
  const date = zone === 'utc' ? new Date(`${day}T00:00:00Z`) : new Date(`${day}T00:00:00`)
  if (Number.isNaN(date.getTime())) return undefined
  if (zone === 'utc') date.setUTCDate(date.getUTCDate() + plusDays)
  else date.setDate(date.getDate() + plusDays)
  return date.toISOString()
}
