import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { useSession } from '../api/session'
import { useStore } from '../api/store'
import { routesFor } from '../routes'
import { useKeys } from '../ui/keys'
import { loadPage } from '../ui/load-page'
import { toggleZone } from '../ui/preferences'
import { helpIsOpen, showHelp } from './help'

const Help = lazy(() => loadPage<object>(() => import('./help-dialog')))

/** The keys that work on every page, and the help that lists them all. */
export function GlobalKeys() {
  const { route } = useLocation()
  const { user } = useSession()
  const pages = routesFor(user.roles).flatMap(({ nav, path, title }) => (nav ? [{ key: nav.key, path, title }] : []))
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
