import { useEffect, useState } from 'preact/hooks'

const query = '(min-width: 1000px)'

/** Whether a list and its details are side by side. */
export function useIsWide(): boolean {
  const [isWide, set] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const change = () => set(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  return isWide
}
