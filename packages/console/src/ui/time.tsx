import { useEffect, useReducer } from 'preact/hooks'
import { useStore } from '../api/store'
import { formatDuration, formatTime, zoneLabel } from '../format/time'
import { zoneStore } from './preferences'

/** A time in the user's chosen zone. `zone` also shows the zone; the header always does. */
export function Time({ at, ms, zone }: { at: string | null | undefined; ms?: boolean; zone?: boolean }) {
  const chosen = useStore(zoneStore)
  if (!at) return <span class="none">none</span>
  return (
    <time class="time" dateTime={at} title={at}>
      {formatTime(at, chosen, ms)}
      {zone ? <span class="time-zone"> {zoneLabel(chosen, new Date(at))}</span> : null}
    </time>
  )
}

/** The time since or until a moment: `2 d 12 h`. It updates automatically. */
export function Age({ since, until }: { since?: string | null; until?: string | null }) {
  const now = useNow(10_000)
  const at = since ?? until
  const zone = useStore(zoneStore)
  if (!at) return null
  const distance = since ? now - Date.parse(at) : Date.parse(at) - now
  return (
    <time class="age" dateTime={at} title={`${formatTime(at, zone)} ${zoneLabel(zone, new Date(at))}`}>
      {formatDuration(Math.max(0, distance))}
    </time>
  )
}

/** The current time in milliseconds, updated at an interval. */
export function useNow(everyMs: number): number {
  const [, render] = useReducer((count: number, _: undefined) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(() => render(undefined), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return Date.now()
}
