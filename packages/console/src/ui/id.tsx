import { useState } from 'preact/hooks'
import { shorten } from '../format/words'
import { announce } from './announce'
import { Icon, type IconName } from './icon'

interface IdProps {
  value: string | null | undefined
  /** Its page. */
  href?: string
  /** Shown in full. */
  isWhole?: boolean
  /** Without the copy button. */
  isBare?: boolean
}

/** An id, hash or address: shortened, with the full value in the title and a copy button. */
export function Id({ value, href, isWhole, isBare }: IdProps) {
  if (!value) return null
  const text = isWhole ? value : shorten(value)
  return (
    <span class={isWhole ? 'id is-whole' : 'id'}>
      {href ? (
        <a href={href} title={value}>
          <code>{text}</code>
        </a>
      ) : (
        <code title={value}>{text}</code>
      )}
      {isBare ? null : <Copy value={value} />}
    </span>
  )
}

/** A request's id, with a link to its messages in the activity log. */
export const RequestId = ({ value, ...look }: Pick<IdProps, 'isWhole' | 'isBare'> & { value: string }) => (
  <Id value={value} href={requestHref(value)} {...look} />
)
export const requestHref = (requestId: string): string => `/console/log?requestId=${encodeURIComponent(requestId)}`

/** Copies a text. */
export function Copy({ value, label = 'Copy' }: { value: string; label?: string }) {
  const [icon, setIcon] = useState<IconName>('copy')
  const tell = (words: string, icon: IconName) => {
    announce(words)
    setIcon(icon)
    setTimeout(() => setIcon('copy'), 1500)
  }
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => tell('Copied', 'check'),
      () => tell('Not copied: the browser does not allow it', 'cross'),
    )
  return (
    <button type="button" class="copy" aria-label={`${label} ${shorten(value)}`} onClick={() => void copy()}>
      <Icon name={icon} size={14} />
    </button>
  )
}
