/** A share of a whole as a bar; `words` is its text for screen readers. */
export function Meter({
  value,
  max = 100,
  tone = 'good',
  words,
}: {
  value: number
  max?: number
  tone?: 'good' | 'wait' | 'bad' | 'move'
  words: string
}) {
  return <meter class={`meter tone-${tone}`} min={0} max={max} value={value} aria-label={words} title={words} />
}
