import { formatDuration } from '../../format/time'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { Note } from '../../ui/states'
import { useNow } from '../../ui/time'
import type { Log } from './use-log'

/** Whether new messages appear automatically, and if not, why. */
export function LiveBadge({ log, isPaused }: { log: Log; isPaused: boolean }) {
  const { tone, words, isPulsing } = stateOf(log, isPaused)
  return (
    <span class={`badge live tone-${tone}`} role="status">
      <span class={isPulsing ? 'live-dot is-pulsing' : 'live-dot'} />
      {words}
    </span>
  )
}

function stateOf({ state, waiting }: Log, isPaused: boolean) {
  if (state === 'off') return { tone: 'plain', words: 'Not live', isPulsing: false }
  if (state === 'waiting') return { tone: 'wait', words: 'Reconnecting', isPulsing: false }
  if (isPaused) return { tone: 'wait', words: waiting > 0 ? `Paused, ${waiting} new` : 'Paused', isPulsing: false }
  return state === 'live'
    ? { tone: 'good', words: 'Live', isPulsing: true }
    : { tone: 'plain', words: 'Connecting', isPulsing: false }
}

/** Notes about messages that are missing on the page. */
export function LiveNotes({ log }: { log: Log }) {
  return (
    <>
      {log.lostAt === null ? null : <Lost since={log.lostAt} />}
      {log.hasGap ? (
        <Note tone="wait" role="status" again={log.reload} words="Read the newest">
          The stream was away for so long that not all it missed could be sent: messages are missing here, and are in
          the log.
        </Note>
      ) : null}
    </>
  )
}

function Lost({ since }: { since: number }) {
  const now = useNow(1000)
  return (
    <Note tone="wait" icon="clock">
      No new messages for {formatDuration(Math.max(0, now - since))}: the stream is lost, and is reopened automatically.
      Missed messages follow then.
    </Note>
  )
}

/** Scrolls to the messages that arrived while the page was scrolled down. */
export function NewMessages({ waiting, onShow }: { waiting: number; onShow(): void }) {
  if (waiting === 0) return null
  return (
    <div class="log-new">
      <Button look="main" isSmall icon="out" onClick={onShow}>
        {counted(waiting, 'new message')}
      </Button>
    </div>
  )
}
