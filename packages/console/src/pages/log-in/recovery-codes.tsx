import { Button } from '../../ui/button'

/** They are shown this once. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): void }) {
  return (
    <div class="stack">
      <p>
        Keep these recovery codes where you find them without your telephone and your passkeys. Each works for one
        log-in. They are not shown again.
      </p>
      <ul class="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button look="main" onClick={done}>
        I have kept them
      </Button>
    </div>
  )
}
