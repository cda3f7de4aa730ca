import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * The text of a field whose value is kept elsewhere, such as in the URL. A value that comes from there takes its place; one
 * that the field has applied itself does not: more may have been typed since, or a space at its end.
 */
export function useAppliedText(value: string, set: (value: string) => void) {
  const [text, setText] = useState(value)
  const known = useRef(value)
  useLayoutEffect(() => {
    if (value !== known.current) setText(value)
    known.current = value
  }, [value])
  const apply = (next: string) => {
    known.current = next
    set(next)
  }
  return { text, setText, apply }
}
