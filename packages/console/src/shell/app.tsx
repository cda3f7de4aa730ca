import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router } from 'preact-iso/router'
import { loadSession, sessionStore } from '../api/session'
import { useStore } from '../api/store'
import { routesFor } from '../routes'
import { loadPage } from '../ui/load-page'
import { pagesStyle } from '../ui/pages-style'
import { ErrorNote } from '../ui/states'
import { Toasts } from '../ui/toasts'
import { Frame } from './frame'
import { NotFound } from './not-found'
import { PageGuard } from './page-guard'

/** Loaded only without a session. */
const LogIn = lazy(() => loadPage<object>(() => import('../pages/log-in'), pagesStyle))
const LogInDialog = lazy(() => loadPage<object>(() => import('./log-in-dialog'), pagesStyle))

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
      <Frame>
        <PageGuard>
          <Router>
            {routesFor(state.session.user.roles).map(({ path, page }) => (
              <Route key={path} path={path} component={page} />
            ))}
            <Route default component={NotFound} />
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
