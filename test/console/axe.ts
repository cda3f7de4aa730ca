import axe from 'axe-core'
import type { Page } from 'playwright-core'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Found {
  violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }[]
}

/** What a page does that WCAG 2.2 AA does not allow; a sentence each. Run past the page's own policy, which allows no scripts. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(standards)}, resultTypes: ['violations'] })`,
  )) as Found
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
  )
}
