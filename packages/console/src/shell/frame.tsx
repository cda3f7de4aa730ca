import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { connection, request } from '../api/http'
import { useOpenReviews } from '../api/open-work'
import { queries } from '../api/query'
import { useSession } from '../api/session'
import { useStore } from '../api/store'
import { zoneLabel } from '../format/time'
import { type ConsoleRoute, routesFor, sections } from '../routes'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Kbd } from '../ui/kbd'
import { useKeys } from '../ui/keys'
import { loadPage } from '../ui/load-page'
import { densityStore, themeStore, toggleZone, zoneStore } from '../ui/preferences'
import { Note } from '../ui/states'
import { Time } from '../ui/time'
import { AccountMenu } from './account-menu'
import { helpIsOpen, showHelp } from './help'
import { isAttended } from './presence'
import { Search } from './search'

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

function Header({ openNavigation }: { openNavigation(): void }) {
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

/** The pages, at the side; on narrow screens in a drawer, which is a dialog. */
function Navigation({ isOpen, close }: { isOpen: boolean; close(): void }) {
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) drawer.current?.showModal()
    else drawer.current?.close()
  }, [isOpen])
  return (
    <>
      <nav class="navigation" aria-label="Pages">
        <Pages />
        <button type="button" class="navigation-help" onClick={showHelp}>
          Keyboard <Kbd keys="?" />
        </button>
      </nav>
      <dialog ref={drawer} class="drawer" aria-label="Pages" onClose={close}>
        {isOpen ? (
          <>
            <Button look="quiet" icon="cross" aria-label="Close" onClick={close} />
            <nav aria-label="Pages">
              <Pages />
            </nav>
          </>
        ) : null}
      </dialog>
    </>
  )
}

function Pages() {
  const { user } = useSession()
  const { path } = useLocation()
  const shown = routesFor(user.roles)
  return (
    <>
      {sections.map((section) => {
        const pages = shown.filter((route) => route.nav?.[0] === section)
        return pages.length === 0 ? null : (
          <div key={section} class="navigation-section">
            <p class="navigation-title">{section}</p>
            <ul>
              {pages.map((route) => (
                <PageLink key={route.path} route={route} isHere={isBelow(path, route.path)} />
              ))}
            </ul>
          </div>
        )
      })}
    </>
  )
}

const isBelow = (path: string, root: string): boolean =>
  path === root || (root !== '/console' && path.startsWith(`${root}/`))

function PageLink({ route, isHere }: { route: ConsoleRoute; isHere: boolean }) {
  return (
    <li>
      <a href={route.path} aria-current={isHere ? 'page' : undefined} onPointerEnter={() => void route.page.preload()}>
        {route.nav ? <Icon name={route.nav[2]} /> : null}
        <span>{route.title}</span>
        {route.path === '/console/review' ? <OpenReviews /> : null}
      </a>
    </li>
  )
}

/** How many payments wait for a decision. */
function OpenReviews() {
  const count = useOpenReviews()
  return count ? (
    <span class="badge tone-wait" title={`${count} to review`}>
      {count}
    </span>
  ) : null
}
