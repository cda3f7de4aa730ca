// The page of whoever has no session (log-in.html): a script and a style of its own, so that it waits for no other page.
import './start.css'
import { hydrate } from 'preact'
import { applyLook } from '../../ui/preferences'
import { Toasts } from '../../ui/toasts'
import { LogInPage } from './page'

applyLook()

/** The console, at the page that was asked for: now it has a session. */
const goOn = () => location.replace(location.pathname + location.search)

const place = document.querySelector('#app')
if (place) {
  hydrate(
    <>
      <LogInPage opened={goOn} />
      <Toasts />
    </>,
    place,
  )
}
