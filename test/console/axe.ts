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

/** Violations of WCAG 2.2 AA, a sentence each. Runs past the page's own policy, which allows no scripts. */
export async function violationsOf(page: Page, wanted: keyof typeof options = 'all'): Promise<string[]> {
  const all = { ...options[wanted], resultTypes: ['violations'] }
  // What was found is all that crosses over to this process: what passed is as long as the page.
  const examine = `globalThis.axe?.run(document, ${JSON.stringify(all)}).then(({ violations }) => ({ violations }))`
  // A document keeps axe between checks.
  const { violations } =
    (await page.evaluate<Found | undefined>(examine)) ?? (await page.evaluate<Found>(`${source};${examine}`))
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  )
}
