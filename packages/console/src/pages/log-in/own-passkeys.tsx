import { type Passkey, usePasskeys } from '../../api/second-factor'
import { Ago } from '../../ui/ago'
import { Button } from '../../ui/button'
import { Loaded } from '../../ui/states'
import { Time } from '../../ui/time'

/** The current user's passkeys, by name. */
export function OwnPasskeys({ remove }: { remove(passkey: Passkey): void }) {
  const passkeys = usePasskeys()
  return (
    <Loaded of={passkeys}>
      {(rows) => (
        <ul class="rows sessions" aria-label="Your passkeys">
          {rows.map((row) => (
            <li key={row.id} class="ends">
              <div>
                <strong>{row.name}</strong>
                <p class="hint">
                  Since <Time at={row.createdAt} />,{' '}
                  {row.lastUsedAt ? <Ago what="last used" at={row.lastUsedAt} /> : 'not used yet'}
                </p>
              </div>
              <Button isSmall onClick={() => remove(row)} aria-label={`Remove the passkey ${row.name}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
