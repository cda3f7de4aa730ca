import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The minified build: half the size to load into a page. */
const source = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/**
 * What is checked: `all`; what another width can change, without the contrast of colours, which test/tidy computes for
 * every text on every background in both themes; or what a width changes where the same elements are shown.
 */
const options = {
  all: { runOnly: standards },
  width: { runOnly: standards, rules: { 'color-contrast': { enabled: false } } },
  layout: { runOnly: ['target-size', 'scrollable-region-focusable'] },
}

type Found = Pick<AxeResults, 'violations'>

/**
 * Where an element is costs a fifth of the whole, so it is worked out only once something was found. Of what axe would
 * load beforehand, rules need media alone.
 */
const usual = { resultTypes: ['violations'], preload: { assets: ['media'] } }

/** Violations of WCAG 2.2 AA, a sentence each. Runs past the page's own policy, which allows no scripts. */
export async function violationsOf(page: Page, wanted: keyof typeof options = 'all'): Promise<string[]> {
  const found = await examine(page, { ...options[wanted], ...usual, selectors: false })
  if (found.length === 0) return []
  const placed = await examine(page, { ...options[wanted], ...usual })
  // What is gone by now was there all the same.
  return sentences(placed.length > 0 ? placed : found)
}

async function examine(page: Page, wanted: object): Promise<Found['violations']> {
  // What was found is all that crosses over to this process: what passed is as long as the page.
  const run = `globalThis.axe?.run(document, ${JSON.stringify(wanted)}).then(({ violations }) => ({ violations }))`
  // A document keeps axe between checks.
  const { violations } =
    (await page.evaluate<Found | undefined>(run)) ?? (await page.evaluate<Found>(`${source};${run}`))
  return violations
}

const sentences = (violations: Found['violations']): string[] =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target?.join(' ')}) ${failureSummary}`),
  )
