import './style/index.css'
import { render } from 'preact'
import { queries } from './api/query'
import { loadSession } from './api/session'
import { pageAt } from './routes'
import { App } from './shell/app'
import { listenForKeys } from './shell/keys'
import { applyTheme } from './shell/preferences'
import { watchPresence } from './shell/presence'

applyTheme()
queries.mount()
watchPresence()
listenForKeys()
void loadSession()
void pageAt(location.pathname)?.preload()
const place = document.querySelector('#app')
if (place) render(<App />, place)
