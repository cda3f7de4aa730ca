import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether an element's content is wider than it: it scrolls then, and must be reachable by keyboard. */
export function useCutOff(element: RefObject<HTMLElement | null>): boolean {
  const [isCutOff, setCutOff] = useState(false)
  useEffect(() => {
    const frame = element.current
    if (!frame) return
    const measure = () => setCutOff(frame.scrollWidth > frame.clientWidth + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    for (const child of frame.children) observer.observe(child)
    return () => observer.disconnect()
  })
  return isCutOff
}
