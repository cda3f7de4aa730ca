import { useId } from 'preact/hooks'

/** Several lines of text. */
export function InformationValue({ value }: { value: string | undefined }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>The information</label>
      <textarea id={id} name="value" rows={4} required maxLength={10_000} defaultValue={value} />
    </div>
  )
}
