import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { closeSession, useSession } from '../api/session'
import { useStore } from '../api/store'
import { notify, notifyRefusal } from '../ui/announce'
import { Icon, type IconName } from '../ui/icon'
import { Menu } from '../ui/menu'
import { pagesStyle } from '../ui/pages-style'
import { densityStore, type Theme, themeStore, toggleDensity, toggleZone, zoneStore } from '../ui/preferences'

const themes: readonly (readonly [Theme, string, IconName])[] = [
  ['system', 'As the system', 'screen'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
]

type OwnDialog = (props: { onClose(): void }) => VNode

const dialogs: readonly (readonly [string, IconName, () => Promise<{ default: OwnDialog }>])[] = [
  ['Your sessions', 'screen', () => import('../pages/users/own-sessions')],
  ['Change password', 'key', () => import('../pages/log-in/own-password')],
  ['Second factor', 'key', () => import('../pages/log-in/own-second-factor')],
]

/** The current user, the console's appearance, and the log-out. */
export function AccountMenu() {
  const { user } = useSession()
  const theme = useStore(themeStore)
  const zone = useStore(zoneStore)
  const density = useStore(densityStore)
  const [Open, setOpen] = useState<OwnDialog | null>(null)
  const show = (load: () => Promise<{ default: OwnDialog }>) =>
    Promise.all([load(), pagesStyle()]).then(
      ([loaded]) => setOpen(() => loaded.default),
      () => notify('This could not be loaded. Load the console again.', { tone: 'bad' }),
    )
  const leave = (everywhere: boolean) => closeSession(everywhere).catch(notifyRefusal)
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
            <Item key={value} icon={icon} isOn={theme === value} run={() => themeStore.set(value)}>
              {words}
            </Item>
          ))}
        </fieldset>
        <Item icon="log" isOn={density === 'comfortable'} run={toggleDensity}>
          Comfortable rows
        </Item>
        <Item icon="clock" isOn={zone === 'local'} run={toggleZone}>
          Times in {zone === 'utc' ? 'UTC' : 'your zone'}
        </Item>
        {dialogs.map(([words, icon, load]) => (
          <Item key={words} icon={icon} run={() => show(load)}>
            {words}
          </Item>
        ))}
        <Item icon="leave" run={() => leave(false)}>
          Log out
        </Item>
        <Item icon="leave" run={() => leave(true)}>
          Log out everywhere
        </Item>
      </Menu>
      {Open ? <Open onClose={() => setOpen(null)} /> : null}
    </>
  )
}

interface ItemProps {
  icon: IconName
  /** Of a switch, which leaves the menu open. */
  isOn?: boolean
  run(): unknown
  children: ComponentChildren
}

const Item = ({ icon, isOn, run, children }: ItemProps) => (
  <button type="button" data-keep={isOn === undefined ? undefined : ''} aria-pressed={isOn} onClick={() => void run()}>
    <Icon name={icon} /> {children}
  </button>
)

/** `MK` of Maria Klein. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((word) => word[0]?.toUpperCase() ?? [])
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .join('')
