import { focusManager } from '@tanstack/query-core'
import { askWhetherUsed } from '../api/http'
import { createStore } from '../api/store'

/** Whether somebody has used the page lately. */
export const isAttended = createStore(true)

/** Well before the session's idle time: reads that nobody waits for must not keep a session open. */
const unattendedMs = 10 * 60_000
/** After so long without a touch, what the page reads by itself no longer counts as a use of the session. */
const usedMs = 60_000

/** Stops the reading that repeats itself while nobody is here, and reads all again when somebody comes back. */
export function watchPresence(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => focusManager.setFocused(isAttended.get() && document.visibilityState !== 'hidden')
  let usedAt = Date.now()
  askWhetherUsed(() => Date.now() - usedAt < usedMs)
  const used = () => {
    usedAt = Date.now()
    clearTimeout(timer)
    timer = setTimeout(() => isAttended.set(false), unattendedMs)
    isAttended.set(true)
  }
  isAttended.subscribe(update)
  document.addEventListener('visibilitychange', update)
  for (const event of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart']) {
    addEventListener(event, used, { passive: true })
  }
  used()
}
