import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/**
 * Whether an element's content is wider than it: it scrolls then, and must be reachable by keyboard. `isAtEnd`: it is
 * scrolled to its end.
 */
export function useCutOff(element: RefObject<HTMLElement | null>): { isCutOff: boolean; isAtEnd: boolean } {
  const [isCutOff, setCutOff] = useState(false)
  const [isAtEnd, setAtEnd] = useState(false)
  useEffect(() => {
    const scroller = element.current
    if (!scroller) return
    const measure = () => {
      setCutOff(scroller.scrollWidth > scroller.clientWidth + 1)
      setAtEnd(scroller.scrollLeft + scroller.clientWidth >= scroller.scrollWidth - 1)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    for (const child of scroller.children) observer.observe(child)
    scroller.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', measure)
    }
  })
  return { isCutOff, isAtEnd }
}
