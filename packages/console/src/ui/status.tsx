import type { ComponentChildren } from 'preact'
import { toWords } from '../format/words'
import { Icon, type IconName } from './icon'
import { iconOf, lookOf, type Tone } from './status-words'

/** A status as the services write it (`FROZEN`): colour, icon and word. `tone` if the word has another meaning here. */
export function Status({ value, tone }: { value: string; tone?: Tone }) {
  const words = toWords(value)
  const look = lookOf(words)
  return (
    <Badge tone={tone ?? look.tone} icon={tone ? iconOf(tone) : look.icon}>
      {words}
    </Badge>
  )
}

/** A few highlighted words. A colour comes with an icon: not everybody can distinguish colours. */
export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: Tone
  icon?: IconName
  children: ComponentChildren
}) {
  return (
    <span class={`badge tone-${tone}`}>
      {icon ? <Icon name={icon} size={12} /> : null}
      {children}
    </span>
  )
}
