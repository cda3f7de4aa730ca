import { useState } from 'preact/hooks'
import { shorten } from '../format/words'
import { announce } from './announce'
import { Icon } from './icon'

interface IdProps {
  value: string | null | undefined
  /** The page about it. */
  href?: string
  /** Shown to its last character. */
  isWhole?: boolean
  /** Without the button that copies it. */
  isBare?: boolean
}

/** An id, hash or address: short with its whole in the title, to be copied with one press. */
export function Id({ value, href, isWhole, isBare }: IdProps) {
  if (!value) return <span class="none">none</span>
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

/** Copies a text. */
export function Copy({ value, label = 'Copy' }: { value: string; label?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    announce('Copied')
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button type="button" class="copy" aria-label={`${label} ${shorten(value)}`} onClick={() => void copy()}>
      <Icon name={isDone ? 'check' : 'copy'} size={14} />
    </button>
  )
}
