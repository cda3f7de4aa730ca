import { connection } from '../api/http'
import { queries } from '../api/query'
import { useStore } from '../api/store'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Time } from '../ui/time'

/** Says that the gateway cannot be reached: what is on the screen is old. */
export function Banner() {
  const { isUp, since } = useStore(connection)
  if (isUp) return null
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
