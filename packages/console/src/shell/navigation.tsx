import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useOpenReviews } from '../api/open-work'
import { useSession } from '../api/session'
import { type ConsoleRoute, routesFor, sections } from '../routes'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Kbd } from '../ui/kbd'
import { showHelp } from './help'

/** The pages, at the side; on narrow screens in a drawer, which is a dialog. */
export function Navigation({ isOpen, close }: { isOpen: boolean; close(): void }) {
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
