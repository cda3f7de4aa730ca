import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Fills all fractions and all codes of a table up to the width of the longest one, so that amounts meet at the point, also
 * those that come later than their rows. By padding: boxes of their own would be read as words of their own.
 */
export function useAlignedAmounts(body: RefObject<HTMLTableSectionElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const { current } = body
    if (!current || !isShown) return
    alignAmounts(current)
    // Text is as wide as its font makes it.
    void document.fonts.ready.then(() => alignAmounts(current))
    const observer = new MutationObserver((changes) => {
      if (changes.some(isAboutAmounts)) alignAmounts(current)
    })
    observer.observe(current, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [isShown])
}

const isAboutAmounts = ({ type, target }: MutationRecord): boolean =>
  type === 'childList' || target.parentElement?.closest('.amount') != null

function alignAmounts(body: HTMLElement): void {
  for (const selector of ['.amount .fraction', '.amount b']) {
    const parts = [...body.querySelectorAll<HTMLElement>(selector)]
    const widths = new Map<string, number>()
    for (const part of parts) if (!widths.has(kindOf(part))) widths.set(kindOf(part), widthOf(part))
    const widest = Math.max(0, ...widths.values())
    for (const part of parts) {
      const fill = `${(widest - (widths.get(kindOf(part)) ?? 0)).toFixed(2)}px`
      if (part.style.getPropertyValue('--fill') !== fill) part.style.setProperty('--fill', fill)
    }
  }
}

/** Parts of one kind are equally wide: figures are, so of fractions the length alone counts. */
const kindOf = ({ textContent }: HTMLElement): string => textContent.replace(/\d/g, '0')

/** Without what fills it. */
function widthOf(part: HTMLElement): number {
  const range = document.createRange()
  range.selectNodeContents(part)
  return range.getBoundingClientRect().width
}
