import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** The deployment's environment, as the gateway writes it into its pages. */
const environment = document.querySelector<HTMLMetaElement>('meta[name="environment"]')?.content

/** The frame of the pages before the console: one card in the middle, with the product and its environment above it. */
export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${title} · Bursar`
  }, [title])
  return (
    <main class="gate">
      <p class="gate-brand">
        Bursar{environment ? <span class={`badge gate-${environment}`}>{environment}</span> : null}
      </p>
      <section class="card gate-card" aria-labelledby="gate-title">
        <h1 id="gate-title">{title}</h1>
        {children}
      </section>
    </main>
  )
}
