import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Banner } from './banner'
import { GlobalKeys } from './global-keys'
import { Header } from './header'
import { Navigation } from './navigation'
import { useOwnPreferences } from './own-preferences'

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
