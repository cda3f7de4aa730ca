import { useState } from 'preact/hooks'
import { Labelled, useChecked } from '../../ui/field'

interface Props {
  label: string
  hint?: string
  name: string
  autoComplete: 'current-password' | 'new-password'
  required?: boolean
  autoFocus?: boolean
  minLength?: number
  maxLength?: number
}

const shown = { type: 'text' } as const
const hidden = { type: 'password' } as const

/** A password, which can be shown while it is typed. */
export function PasswordField({ label, hint, ...rest }: Props) {
  const [isShown, setShown] = useState(false)
  const of = useChecked(hint)
  return (
    <Labelled of={of} label={label} hint={hint}>
      <div class="password">
        <input {...rest} {...of.control} {...(isShown ? shown : hidden)} />
        <button type="button" class="button is-quiet is-small" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span class="visually-hidden"> what is typed</span>
        </button>
      </div>
    </Labelled>
  )
}
