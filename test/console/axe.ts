import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The smaller of its two builds: half of what a page has to read before it can be examined. */
const source = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

const examine = `globalThis.axe?.run(document, { runOnly: ${JSON.stringify(standards)}, resultTypes: ['violations'] })`
const withAxe = `${source};${examine}`

type Found = Pick<AxeResults, 'violations'>

/** What a page does that WCAG 2.2 AA does not allow; a sentence each. Run past the page's own policy, which allows no scripts. */
export async function violationsOf(page: Page): Promise<string[]> {
  // A document keeps axe from one look to the next.
  const { violations } = (await page.evaluate<Found | undefined>(examine)) ?? (await page.evaluate<Found>(withAxe))
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  )
}
