import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { asApiError } from '../api/api-error'
import { closeSession, useSession } from '../api/session'
import { useStore } from '../api/store'
import { notify } from '../ui/announce'
import { Icon, type IconName } from '../ui/icon'
import { Menu } from '../ui/menu'
import { pagesStyle } from '../ui/pages-style'
import { densityStore, type Theme, themeStore, toggleZone, zoneStore } from '../ui/preferences'

const themes: readonly (readonly [Theme, string, IconName])[] = [
  ['system', 'As the system', 'screen'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
]

type OwnDialog = (props: { onClose(): void }) => VNode

const dialogs = {
  sessions: () => import('../pages/users/own-sessions'),
  password: () => import('../pages/log-in/own-password'),
  secondFactor: () => import('../pages/log-in/own-second-factor'),
} satisfies Record<string, () => Promise<{ default: OwnDialog }>>

/** The current user, the console's appearance, and the log-out. */
export function AccountMenu() {
  const { user } = useSession()
  const theme = useStore(themeStore)
  const zone = useStore(zoneStore)
  const density = useStore(densityStore)
  const [Open, setOpen] = useState<OwnDialog | null>(null)
  const show = (name: keyof typeof dialogs) =>
    Promise.all([dialogs[name](), pagesStyle()]).then(
      ([loaded]) => setOpen(() => loaded.default),
      () => notify('This could not be loaded. Load the console again.', { tone: 'bad' }),
    )
  const leave = (everywhere: boolean) =>
    closeSession(everywhere).catch((error) => notify(asApiError(error).message, { tone: 'bad' }))
  return (
    <>
      <Menu
        label={`${initialsOf(user.name)}: account of ${user.name}`}
        button={<span class="initials">{initialsOf(user.name)}</span>}
        look="account"
      >
        <div class="menu-head">
          <strong>{user.name}</strong>
          <span>{user.email}</span>
          <span>{user.roles.join(', ')}</span>
        </div>
        <fieldset class="menu-group" aria-label="Colours">
          {themes.map(([value, words, icon]) => (
            <button
              key={value}
              type="button"
              data-keep
              aria-pressed={theme === value}
              onClick={() => themeStore.set(value)}
            >
              <Icon name={icon} /> {words}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          data-keep
          aria-pressed={density === 'comfortable'}
          onClick={() => densityStore.set(density === 'compact' ? 'comfortable' : 'compact')}
        >
          <Icon name="log" /> Comfortable rows
        </button>
        <button type="button" data-keep aria-pressed={zone === 'local'} onClick={toggleZone}>
          <Icon name="clock" /> Times in {zone === 'utc' ? 'UTC' : 'your zone'}
        </button>
        <button type="button" onClick={() => void show('sessions')}>
          <Icon name="screen" /> Your sessions
        </button>
        <button type="button" onClick={() => void show('password')}>
          <Icon name="key" /> Change password
        </button>
        <button type="button" onClick={() => void show('secondFactor')}>
          <Icon name="key" /> Second factor
        </button>
        <button type="button" onClick={() => void leave(false)}>
          <Icon name="leave" /> Log out
        </button>
        <button type="button" onClick={() => void leave(true)}>
          <Icon name="leave" /> Log out everywhere
        </button>
      </Menu>
      {Open ? <Open onClose={() => setOpen(null)} /> : null}
    </>
  )
}

/** `MK` of Maria Klein. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((word) => word[0]?.toUpperCase() ?? [])
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .join('')
