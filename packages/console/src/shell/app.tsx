import type { ComponentChildren } from 'preact'
import { useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { loadSession, sessionStore } from '../api/session'
import { useStore } from '../api/store'
import { routesFor } from '../routes'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { loadPage, NotLoaded } from '../ui/load-page'
import { pagesStyle } from '../ui/pages-style'
import { Empty, ErrorNote } from '../ui/states'
import { Toasts } from '../ui/toasts'
import { Frame } from './frame'

/** Loaded only without a session. */
const LogIn = lazy(() => loadPage<object>(() => import('../pages/log-in'), pagesStyle))
/** A path without a page, or with one that the user's role does not see. */
const NoSuchPage = lazy(() => loadPage<object>(() => import('./no-such-page')))
const LogInDialog = lazy(() => loadPage<object>(() => import('./log-in-dialog'), pagesStyle, NoLogIn))
/** In the place of the log-in: below the page nobody would see that it could not be loaded. */
const NoLogIn = () => (
  <Dialog title="Your session has ended" isFirm onClose={() => {}}>
    <NotLoaded />
  </Dialog>
)

/** The console: the log-in page without a session, else the frame with the page of the path. */
export function App() {
  const state = useStore(sessionStore)
  if (state.is === 'loading') return <Opening />
  if (state.is === 'failed') {
    return (
      <main class="splash">
        <ErrorNote error={state.error} retry={() => void loadSession()} />
      </main>
    )
  }
  if (state.is === 'none' || state.session.mustChangePassword || state.session.mustEnrol) {
    return (
      <LocationProvider scope="/console">
        <ErrorBoundary>
          <LogIn />
        </ErrorBoundary>
        <Toasts />
      </LocationProvider>
    )
  }
  return (
    <LocationProvider scope="/console">
      {/* Whoever else logs in over a page finds nothing that was begun on it. */}
      <Frame key={state.session.user.id}>
        <PageGuard>
          <Router>
            {routesFor(state.session.user.roles).map(({ path, page }) => (
              <Route key={path} path={path} component={page} />
            ))}
            <Route default component={NoSuchPage} />
          </Router>
        </PageGuard>
      </Frame>
      <ErrorBoundary>{state.is === 'ended' ? <LogInDialog /> : null}</ErrorBoundary>
      <Toasts />
    </LocationProvider>
  )
}

/** The same as the page's static markup, so that nothing moves when the script takes over. */
const Opening = () => (
  <div class="opening" aria-busy="true">
    <div class="header">
      <b class="brand">Bursar</b>
    </div>
  </div>
)

/** An error boundary: a failing page shows a message, and the frame stays. */
function PageGuard({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary()
  const { path } = useLocation()
  // Another page resets the error.
  useLayoutEffect(() => (error ? again() : undefined), [path])
  if (!error) return <>{children}</>
  return (
    <Empty icon="alert" title="This page has a fault">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={again}>Try again</Button>
    </Empty>
  )
}
