import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PageProps {
  /** Also the window's title. */
  title: string
  /** Beside the title: a status, an icon. */
  badge?: ComponentChildren
  /** Above the title: the parent page. */
  up?: { href: string; words: string }
  /** At the end of the title's line, such as buttons. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** The frame of every page: its title, its actions, its content. A new page takes the focus to its title. */
export function Page({ title, badge, up, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} · Bursar`
  }, [title])
  useLayoutEffect(() => {
    const isFirst = document.documentElement.dataset.shown === undefined
    document.documentElement.dataset.shown = 'yes'
    if (!isFirst && !document.querySelector('dialog[open]')) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <article class="page">
      <header class="page-head">
        <div class="page-title">
          {up ? (
            <nav aria-label="Where this belongs" class="page-up">
              <a href={up.href}>{up.words}</a>
            </nav>
          ) : null}
          <div class="page-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
        </div>
        {actions ? <div class="page-actions">{actions}</div> : null}
      </header>
      {children}
    </article>
  )
}
