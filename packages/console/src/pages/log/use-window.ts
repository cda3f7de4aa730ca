import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Rows rendered beyond the window, ready for scrolling. */
const spare = 12

/** The rows of a long list that are in the window; all are `rowPx` high. Only these are in the document. */
export function useWindow(list: RefObject<HTMLElement | null>, count: number, rowPx: number) {
  const [seen, setSeen] = useState({ from: 0, to: 60 })
  useLayoutEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / rowPx) - spare)
      const to = Math.ceil((innerHeight - top) / rowPx) + spare
      setSeen((known) => (known.from === from && known.to === to ? known : { from, to }))
    }
    const later = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [count, rowPx])
  return { from: Math.min(seen.from, count), to: Math.min(seen.to, count) }
}
