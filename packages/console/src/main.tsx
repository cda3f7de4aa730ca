import './style/index.css'
import { render } from 'preact'
import { queries } from './api/query'
import { pageAt } from './routes'
import { App } from './shell/app'
import { begin } from './shell/begin'
import { watchPresence } from './shell/presence'
import { listenForKeys } from './ui/keys'
import { applyLook } from './ui/preferences'

applyLook()
queries.mount()
watchPresence()
listenForKeys()
void begin()
void pageAt(location.pathname)?.preload()
const place = document.querySelector('#app')
if (place) render(<App />, place)
