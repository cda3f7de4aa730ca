import { until } from '@bursar/testing'
import type { Locator, Page } from 'playwright-core'

/**
 * Searches as people do, by `/` and the text, until what is meant is found. A service that is busy for a second is left
 * out of the answer: it is asked again.
 */
export const searchFor = (page: Page, text: string, meant: Locator): Promise<true> =>
  until(
    async () => {
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: /search/i }).fill('')
      await page.keyboard.insertText(text)
      return await meant.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      )
    },
    { what: `${text} to be found` },
  )
