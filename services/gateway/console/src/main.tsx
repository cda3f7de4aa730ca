import './style/index.css'
import { render } from 'preact'
import { queries } from './api/query'
import { pageAt } from './routes'
import { App } from './shell/app'
import { begin } from './shell/begin'
import { listenForKeys } from './shell/keys'
import { applyTheme } from './shell/preferences'
import { watchPresence } from './shell/presence'

applyTheme()
queries.mount()
watchPresence()
listenForKeys()
void begin()
void pageAt(location.pathname)?.preload()
const place = document.querySelector('#app')
if (place) render(<App />, place)
