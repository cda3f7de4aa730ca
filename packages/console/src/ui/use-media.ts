import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useLayoutEffect(() => {
    const media = matchMedia(query)
    const change = () => setHolds(media.matches)
    change()
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [query])
  return holds
}
