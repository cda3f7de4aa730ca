import { useRef, useState } from 'preact/hooks'
import { formatBytes } from '../../format/bytes'
import { Problem, useChecked } from '../../ui/field'
import { Icon } from '../../ui/icon'

interface Props {
  label: string
  name: string
  /** Media types. */
  accept: readonly string[]
  mostBytes: number
}

/** A file of a form: chosen by a button, by keyboard, or dropped here; its name and size stay in view. */
export function FileField({ label, name, accept, mostBytes }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [isOver, setOver] = useState(false)
  const { id, problem, control } = useChecked()
  function take() {
    const chosen = input.current?.files?.[0] ?? null
    setFile(chosen)
    input.current?.setCustomValidity(chosen === null ? '' : refusalOf(chosen, { accept, mostBytes }))
    control.onInput()
    if (chosen !== null) input.current?.checkValidity()
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same, by keyboard too */}
      <div
        class={isOver ? 'file-field is-over' : 'file-field'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (!input.current || !event.dataTransfer?.files.length) return
          input.current.files = event.dataTransfer.files
          take()
        }}
      >
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          id={id}
          name={name}
          required
          accept={accept.join(',')}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-chosen${problem ? ` ${id}-problem` : ''}`}
          onInvalid={control.onInvalid}
          onChange={take}
        />
        <label for={id} class="button is-plain">
          <Icon name="upload" /> {file ? 'Choose another' : 'Choose a file'}
        </label>
        <span id={`${id}-chosen`} class="file-chosen">
          {file ? (
            <>
              <b>{file.name}</b> <span class="hint">{formatBytes(file.size)}</span>
            </>
          ) : (
            <span class="hint">or drop it here</span>
          )}
        </span>
      </div>
      <Problem id={id}>{problem}</Problem>
    </div>
  )
}

/** Why the service would refuse the file; empty for a good one. */
function refusalOf({ size, type }: File, { accept, mostBytes }: Pick<Props, 'accept' | 'mostBytes'>): string {
  if (size === 0) return 'The file is empty.'
  if (size > mostBytes) return `The file is larger than ${formatBytes(mostBytes)}.`
  return accept.includes(type) ? '' : 'The file is not a PDF, PNG or JPEG.'
}
