import type { ComponentChildren } from 'preact'
import { Id } from './id'

interface Props {
  id: string
  name: ComponentChildren
  href?: string | undefined
  /** While its name is unknown: its id without the copy button. */
  isBare?: boolean
}

/** A record by its name, with a link where it has a page; by its id while the name is unknown. */
export function NameLink({ id, name, href, isBare }: Props) {
  if (!name) return <Id value={id} href={href} isBare={isBare} />
  if (!href) return <span title={id}>{name}</span>
  return (
    <a href={href} title={id}>
      {name}
    </a>
  )
}
