import { focusManager } from '@tanstack/query-core'
import { askWhetherUsed } from '../api/http'
import { createStore } from '../api/store'

/** Whether somebody has used the page recently. */
export const isAttended = createStore(true)

/** Well below the session's idle time: automatic reads must not keep a session open. */
const unattendedMs = 10 * 60_000
/** After this time without input, automatic reads no longer count as use of the session. */
const usedMs = 60_000

/** Stops automatic reads while nobody uses the page, and reads everything again when somebody does. */
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
