import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { connection, request } from '../api/http'
import { queries } from '../api/query'
import { useSession } from '../api/session'
import { useStore } from '../api/store'
import { routesFor } from '../routes'
import { useKeys } from '../ui/keys'
import { loadPage } from '../ui/load-page'
import { densityStore, themeStore, toggleZone, zoneStore } from '../ui/preferences'
import { Note } from '../ui/states'
import { Time } from '../ui/time'
import { Header } from './header'
import { helpIsOpen, showHelp } from './help'
import { Navigation } from './navigation'
import { isAttended } from './presence'

/** The frame of every page: header, navigation, banner. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const { path } = useLocation()
  useOwnPreferences()
  useEffect(() => setOpen(false), [path])
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header openNavigation={() => setOpen(true)} />
      <Navigation isOpen={isOpen} close={() => setOpen(false)} />
      <main id="content" tabIndex={-1}>
        <Banner />
        {children}
      </main>
      <GlobalKeys />
    </div>
  )
}

/** Warns that the shown data is old: the gateway cannot be reached, or the page was not used for a while. */
function Banner() {
  const { isUp, since } = useStore(connection)
  const attended = useStore(isAttended)
  if (isUp && attended) return null
  return (
    <div class="banner">
      {isUp ? (
        <Note tone="wait" icon="pause" role="status">
          The page was not used for ten minutes and is no longer updated. Press any key to continue.
        </Note>
      ) : (
        <Note tone="bad" role="alert" again={() => void queries.refetchQueries({ type: 'active' })}>
          The gateway cannot be reached since <Time at={new Date(since).toISOString()} zone />. What is shown is from
          before.
        </Note>
      )}
    </div>
  )
}

const Help = lazy(() => loadPage<object>(() => import('./help-dialog')))

/** The keys that work on every page, and the help that lists them all. */
function GlobalKeys() {
  const { route } = useLocation()
  const { user } = useSession()
  const pages = routesFor(user.roles).flatMap(({ nav, path, title }) => (nav ? [{ key: nav[1], path, title }] : []))
  useKeys([
    ...pages.map(({ key, path, title }) => ({
      key: `g ${key}`,
      does: title,
      group: 'Go to',
      run: () => route(path),
    })),
    { key: '/', does: 'Search', group: 'Everywhere', run: focusSearch },
    { key: '?', does: 'This help', group: 'Everywhere', run: showHelp },
    { key: 'z', does: 'UTC or local time', group: 'Everywhere', run: toggleZone },
  ])
  return <ErrorBoundary>{useStore(helpIsOpen) ? <Help /> : null}</ErrorBoundary>
}

const focusSearch = () => document.querySelector<HTMLElement>('[data-search]')?.focus()

/** Takes over how this person wants the console to look, and keeps what they change, for their other browsers too. */
function useOwnPreferences(): void {
  const { user, preferences } = useSession()
  useEffect(() => {
    if (preferences.density) densityStore.set(preferences.density)
    if (preferences.theme) themeStore.set(preferences.theme)
    if (preferences.zone) zoneStore.set(preferences.zone)
    // What cannot be kept there is kept in this browser nevertheless.
    const keep = () => void request('/desk/preferences', { method: 'PUT', body: present() }).catch(() => {})
    const stops = [densityStore, themeStore, zoneStore].map((store) => store.subscribe(keep))
    return () => {
      for (const stop of stops) stop()
    }
  }, [user.id])
}

const present = () => ({ density: densityStore.get(), theme: themeStore.get(), zone: zoneStore.get() })
