import { Copy } from './id'

/** A record as the API returned it, collapsed at first. */
export function JsonView({
  of,
  title = 'As the API answers it',
  isOpen,
}: {
  of: unknown
  title?: string
  isOpen?: boolean
}) {
  const text = JSON.stringify(of, null, 2)
  return (
    <details class="json" open={isOpen}>
      <summary>{title}</summary>
      <div class="json-text">
        <Copy value={text} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0}>{text}</pre>
      </div>
    </details>
  )
}
