import { Icon } from './icon'
import { Menu } from './menu'

interface Props {
  /** For screen readers: `Other statuses`. */
  label: string
  acts: readonly (readonly [words: string, run: () => void])[]
  look?: string
}

/** Acts that are seldom wanted, behind a button of three dots. */
export const MoreActs = ({ label, acts, look = 'is-plain' }: Props) => (
  <Menu label={label} look={`button is-icon ${look}`} button={<Icon name="more" />}>
    {acts.map(([words, run]) => (
      <button key={words} type="button" onClick={run}>
        {words}
      </button>
    ))}
  </Menu>
)
