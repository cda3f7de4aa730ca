import { useId, useState } from 'preact/hooks'
import { Problem, useProblem } from '../../ui/checked-field'

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
  const id = useId()
  const [isShown, setShown] = useState(false)
  const { problem, checks } = useProblem()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="password">
        <input
          {...rest}
          {...checks}
          id={id}
          {...(isShown ? shown : hidden)}
          aria-invalid={problem !== null}
          aria-describedby={[hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].join(' ').trim() || undefined}
        />
        <button type="button" class="button is-quiet is-small" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span class="visually-hidden"> what is typed</span>
        </button>
      </div>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <Problem id={id}>{problem}</Problem>
    </div>
  )
}
