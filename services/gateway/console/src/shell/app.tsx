import { LocationProvider, Route, Router } from 'preact-iso/router'
import { loadSession, sessionStore } from '../api/session'
import { useStore } from '../api/store'
import LogIn from '../pages/log-in'
import { routesFor } from '../routes'
import { ErrorNote } from '../ui/states'
import { Toasts } from '../ui/toasts'
import { Frame } from './frame'
import { LogInDialog } from './log-in-dialog'
import { NotFound } from './not-found'
import { PageGuard } from './page-guard'

/** The console: a log-in page for strangers, else the frame with the page that the path names. */
export function App() {
  const state = useStore(sessionStore)
  if (state.is === 'loading') return <div class="splash" aria-busy="true" />
  if (state.is === 'failed') {
    return (
      <main class="splash">
        <ErrorNote error={state.error} retry={() => void loadSession()} />
      </main>
    )
  }
  if (state.is === 'none' || state.session.mustChangePassword) {
    return (
      <LocationProvider scope="/console">
        <LogIn />
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
      {state.is === 'ended' ? <LogInDialog email={state.session.user.email} /> : null}
      <Toasts />
    </LocationProvider>
  )
}
