import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon'

type Look = 'plain' | 'main' | 'danger' | 'quiet'

interface Common {
  look?: Look
  icon?: IconName
  isSmall?: boolean
  children?: ComponentChildren
}

type ButtonProps = Common & Omit<JSX.IntrinsicElements['button'], 'icon' | 'ref'>

/** A button. Without words it needs an aria-label. */
export function Button({ look = 'plain', icon, isSmall, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} class={classOf(look, isSmall, children)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}

/** A link that looks like a button: it leads somewhere, and changes nothing. */
export function LinkButton({ look = 'plain', icon, isSmall, children, ...rest }: Common & JSX.IntrinsicElements['a']) {
  return (
    <a {...rest} class={classOf(look, isSmall, children)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </a>
  )
}

const classOf = (look: Look, isSmall: boolean | undefined, children: ComponentChildren): string =>
  ['button', `is-${look}`, isSmall ? 'is-small' : '', children ? '' : 'is-icon'].filter(Boolean).join(' ')
