import type { Page } from 'playwright-core'

/** Waits until a page has its title and shows no placeholder any more. */
export async function settledPage(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(`!document.querySelector('.bone, .skeleton, .splash[aria-busy=true]')`)
  // A long list goes on being refreshed; what is on the page is there.
  await page.waitForFunction(`document.fonts.status === 'loaded'`)
}
