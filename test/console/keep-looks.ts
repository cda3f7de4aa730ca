import { expect } from 'bun:test'
import { join } from 'node:path'
import { violationsOf } from './axe'
import type { Desk } from './stack'

const folder = process.env.SCREENSHOTS

const looks = {
  wide: { width: 1440, height: 960, colorScheme: 'light' },
  middle: { width: 834, height: 1100, colorScheme: 'light' },
  'narrow-dark': { width: 390, height: 844, colorScheme: 'dark' },
} as const

/** The views that were examined, by their names: several flows pass some of them. */
const examined = new Set<string>()

/**
 * Examines a view of a flow, as in the office (`wide`), on a tablet and on a phone at night: readable for everybody,
 * nothing cut off, nothing from other origins. A view is examined once; the page stays as last shown.
 */
export async function keepLooks(
  { page, problems }: Desk,
  name: string,
  wanted: readonly (keyof typeof looks)[],
): Promise<void> {
  const isKnown = examined.has(name)
  examined.add(name)
  for (const look of isKnown ? wanted.slice(-1) : wanted) {
    const { width, height, colorScheme } = looks[look]
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (isKnown) continue
    // What measures itself is drawn anew.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
    expect(await violationsOf(page, look === 'wide' ? 'all' : 'layout')).toEqual([])
    const cutOff = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect([name, look, cutOff]).toEqual([name, look, 0])
  }
  expect(problems).toEqual([])
}
