/** A key to press; `g t` is one after the other. Hidden from screen readers, which read the label. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span class="keys" aria-hidden="true">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
