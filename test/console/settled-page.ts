import type { Page } from 'playwright-core'

/** Waits until a page has its title and shows no placeholder. */
export async function settledPage(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.bone, .splash[aria-busy=true]').first().waitFor({ state: 'detached' })
}
