import { useSession } from '../api/session'
import { useStore } from '../api/store'
import { zoneLabel } from '../format/time'
import { Button } from '../ui/button'
import { toggleZone, zoneStore } from '../ui/preferences'
import { AccountMenu } from './account-menu'
import { Search } from './search'

export function Header({ openNavigation }: { openNavigation(): void }) {
  const zone = useStore(zoneStore)
  const { environment } = useSession()
  return (
    <header class="header">
      <div class="header-start">
        <Button look="quiet" icon="menu" aria-label="Pages" class="header-menu" onClick={openNavigation} />
        <a class="brand" href="/console">
          <Mark />
          <span>Bursar</span>
        </a>
        <span class={environment === 'production' ? 'badge tone-plain' : 'badge tone-wait'}>{environment}</span>
      </div>
      <Search />
      <div class="header-end">
        <button
          type="button"
          class="button is-quiet zone"
          onClick={toggleZone}
          aria-label={`Times are in ${zoneLabel(zone)}. Change`}
        >
          {zoneLabel(zone)}
        </button>
        <AccountMenu />
      </div>
    </header>
  )
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M8 6.5h4.5a2.75 2.75 0 0 1 0 5.5H8zM8 12h5.25a2.75 2.75 0 0 1 0 5.5H8z" />
    </svg>
  )
}
