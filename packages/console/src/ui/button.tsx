import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon'

type Look = 'plain' | 'main' | 'danger' | 'quiet'

interface Common {
  look?: Look
  icon?: IconName
  isSmall?: boolean
  class?: string
  children?: ComponentChildren
}

export type ButtonProps = Common & Omit<JSX.IntrinsicElements['button'], 'class' | 'icon' | 'ref'>

interface LinkButtonProps extends Common {
  href: string
  /** The file's name, or true: the target is downloaded. */
  download?: boolean | string
  'aria-label'?: string
}

/** A button. Without text it needs an aria-label. */
export function Button({ look = 'plain', icon, isSmall, children, class: own, type = 'button', ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} class={classOf(look, isSmall, children, own)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}

/** A link that looks like a button: it navigates and changes nothing. */
export function LinkButton({ look = 'plain', icon, isSmall, children, class: own, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} class={classOf(look, isSmall, children, own)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </a>
  )
}

const classOf = (look: Look, isSmall = false, children: ComponentChildren = null, own = ''): string =>
  ['button', `is-${look}`, isSmall ? 'is-small' : '', children ? '' : 'is-icon', own].filter(Boolean).join(' ')
