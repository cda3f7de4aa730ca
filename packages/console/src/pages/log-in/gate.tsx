import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** The frame of the pages before the console: one card in the middle, with the product's name above it. */
export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${title} · Bursar`
  }, [title])
  return (
    <main class="gate">
      <p class="gate-brand">Bursar</p>
      <section class="card gate-card" aria-labelledby="gate-title">
        <h1 id="gate-title">{title}</h1>
        {children}
      </section>
    </main>
  )
}
