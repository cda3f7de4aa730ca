import { useEffect } from 'preact/hooks'
import { useRender, useStore } from '../api/store'
import { formatDuration, formatShort, formatTime, zoneLabel } from '../format/time'
import { type Zone, zoneStore } from './preferences'

/**
 * A time in the user's chosen zone: short (`20:39`, `22 Nov`), with the whole on hover. `isWhole` writes it to the second,
 * `ms` to the millisecond, `zone` with its zone, `clock` the time of day alone, to the millisecond.
 */
export function Time({
  at,
  isWhole,
  ms,
  zone,
  clock,
}: {
  at: string | null | undefined
  isWhole?: boolean
  ms?: boolean
  zone?: boolean
  clock?: boolean
}) {
  const chosen = useStore(zoneStore)
  if (!at) return null
  return (
    <time class="time" dateTime={at} title={wholeTime(at, chosen)}>
      {clock
        ? formatTime(at, chosen, true).slice(11)
        : isWhole || ms || zone
          ? formatTime(at, chosen, ms)
          : formatShort(at, chosen)}
      {zone ? <span class="time-zone"> {zoneLabel(chosen, new Date(at))}</span> : null}
    </time>
  )
}

const wholeTime = (at: string, zone: Zone): string => `${formatTime(at, zone)} ${zoneLabel(zone, new Date(at))}`

/** The time since or until a moment: `2 d 12 h`; `isShort`, in lists: `2 d`. It updates automatically. */
export function Age({ since, until, isShort }: { since?: string | null; until?: string | null; isShort?: boolean }) {
  const now = useNow(10_000)
  const at = since ?? until
  const zone = useStore(zoneStore)
  if (!at) return null
  const distance = since ? now - Date.parse(at) : Date.parse(at) - now
  return (
    <time class="age" dateTime={at} title={wholeTime(at, zone)}>
      {formatDuration(Math.max(0, distance), isShort)}
    </time>
  )
}

/** `oldest 3 h`, below a figure. */
export const Oldest = ({ at }: { at: string }) => (
  <>
    oldest <Age since={at} isShort />
  </>
)

/** The current time in milliseconds, updated at an interval. */
export function useNow(everyMs: number): number {
  const render = useRender()
  useEffect(() => {
    const timer = setInterval(render, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return Date.now()
}

interface SpanProps {
  at: string
  /** What happened or happens then, before it. */
  what?: string
}

/** `last success 3 min ago` */
export const Ago = ({ at, what = '' }: SpanProps) => (
  <span>
    {what} <Age since={at} /> ago
  </span>
)

/** `again in 3 min` */
export const In = ({ at, what = '' }: SpanProps) => (
  <span>
    {what} in <Age until={at} />
  </span>
)
