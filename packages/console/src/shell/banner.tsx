import { connection } from '../api/http'
import { queries } from '../api/query'
import { useStore } from '../api/store'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Time } from '../ui/time'
import { isAttended } from './presence'

/** Warns that the shown data is old: the gateway cannot be reached, or the page was not used for a while. */
export function Banner() {
  const { isUp, since } = useStore(connection)
  const attended = useStore(isAttended)
  if (isUp && attended) return null
  if (isUp) {
    return (
      <div class="note tone-wait banner" role="status">
        <Icon name="pause" />
        <div>The page was not used for ten minutes and is no longer updated. Press any key to continue.</div>
      </div>
    )
  }
  return (
    <div class="note tone-bad banner" role="alert">
      <Icon name="alert" />
      <div>
        The gateway cannot be reached since <Time at={new Date(since).toISOString()} zone />. What is shown is from
        before.
      </div>
      <Button isSmall icon="refresh" onClick={() => void queries.refetchQueries({ type: 'active' })}>
        Try again
      </Button>
    </div>
  )
}
