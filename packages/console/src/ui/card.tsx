import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface CardProps {
  title?: ComponentChildren
  /** Beside the title: source, time, or a button. */
  aside?: ComponentChildren
  /** For a table that reaches the card's edges. */
  isFlush?: boolean
  children: ComponentChildren
}

export function Card({ title, aside, isFlush, children }: CardProps) {
  const id = useId()
  return (
    <section class={isFlush ? 'card is-flush' : 'card'} aria-labelledby={title ? id : undefined}>
      {title ? (
        <header class="card-head">
          <h2 id={id}>{title}</h2>
          {aside ? <div class="card-aside">{aside}</div> : null}
        </header>
      ) : null}
      {children}
    </section>
  )
}

/** A large figure with its meaning. */
export function Figure({
  label,
  value,
  note,
  tone,
  href,
}: {
  label: string
  value: ComponentChildren
  note?: ComponentChildren
  tone?: 'wait' | 'bad' | 'good'
  href?: string
}) {
  const content = (
    <>
      <span class="figure-label">{label}</span>
      <span class={tone ? `figure-value tone-${tone}` : 'figure-value'}>{value}</span>
      <span class="figure-note">{note}</span>
    </>
  )
  return href ? (
    <a class="card figure" href={href}>
      {content}
    </a>
  ) : (
    <div class="card figure">{content}</div>
  )
}

/** The facts of one record: `[['Account', <Id … />], …]`. Null and undefined values are left out. */
export function Facts({ of }: { of: readonly (readonly [label: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** What was chosen in the list beside it. Below the list, where there is no room, it would be out of sight. */
export function SidePanel({ children }: { children: ComponentChildren }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (matchMedia('(max-width: 999px)').matches) panel.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div class="stack side-panel" ref={panel}>
      {children}
    </div>
  )
}
