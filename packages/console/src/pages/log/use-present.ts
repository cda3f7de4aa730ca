import { useRef } from 'preact/hooks'

/** Whether these filters are still the present ones: an answer about earlier ones comes too late. */
export function usePresent(key: string): () => boolean {
  const present = useRef(key)
  present.current = key
  return () => present.current === key
}
