// Every page of the console in three widths: readable for everybody (WCAG 2.2 AA), nothing cut off, nothing from
// elsewhere. test/tidy computes the contrast of both themes. SCREENSHOTS=<folder> keeps a picture of each view and theme.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { storyOf } from '../e2e/story'
import { violationsOf } from './axe'
import { hasChromium } from './browser'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'

const folder = process.env.SCREENSHOTS

const widths = [1440, 834, 390] as const
const themes = ['light', 'dark'] as const

let stack: ConsoleStack
let desk: Desk
/** Where ids are in a path, the records that the story and the seed have made. */
let ids: Record<string, string> = {}

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  const { made } = await storyOf(stack.url, stack.platform.env)
  const seeded = await seedOf(stack)
  ids = { ...made, quoteAsset: seeded.quoteAsset ?? '', frozen: seeded.depositToApprove ?? '' }
  desk = await stack.seat(administrator)
})
afterAll(() => stack?.close())

const pages = [
  '/console',
  '/console/review',
  '/console/transactions',
  '/console/transactions/:withdrawal',
  '/console/transactions/:frozen',
  '/console/accounts',
  '/console/accounts/:account',
  '/console/customers',
  '/console/customers/:customer',
  '/console/participants',
  '/console/participants?tab=participants',
  '/console/participants/:participant',
  '/console/bank',
  '/console/bank/:transfer',
  '/console/bank?view=credit',
  '/console/chain',
  '/console/chain?view=sends',
  '/console/chain?view=books',
  '/console/chain?view=wallets',
  '/console/rates',
  '/console/rates?view=categories',
  '/console/rates?view=providers',
  '/console/rates/:quoteAsset',
  '/console/sanctions',
  '/console/webhooks',
  '/console/webhooks?tab=deliveries',
  '/console/log',
  '/console/health',
  '/console/users',
  '/console/audit',
  '/console/nowhere',
]

describe.skipIf(!hasChromium)('every page', () => {
  for (const path of pages) {
    test(path, async () => {
      const { page, problems } = desk
      problems.length = 0
      await page.goto(path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? ''))
      await settledPage(page)
      expect(await page.locator('h1').count()).toBe(1)
      await lookAtAll(page, path)
      expect(problems).toEqual([])
    })
  }

  test('the log-in', async () => {
    const { page, problems, context } = await stack.empty()
    await page.goto('/console')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await lookAtAll(page, '/console/log-in')
    expect(problems).toEqual([])
    await context.close()
  })
})

async function lookAtAll(page: Page, path: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 960 })
    if (folder) await takePictures(page, `${join(folder, fileOf(path))}-${width}`)
    expect({ width, cutOff: await cutOffIn(page) }).toEqual({ width, cutOff: [] })
  }
  expect(await violationsOf(page, 'width')).toEqual([])
  await page.setViewportSize({ width: widths[0], height: 960 })
  expect(await violationsOf(page)).toEqual([])
}

async function takePictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${name}-${colorScheme}.png`, fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What stays cut off once the plots have taken their new width. */
async function cutOffIn(page: Page): Promise<string[]> {
  let cutOff: string[] = []
  const isWhole = async () => {
    cutOff = (await page.evaluate(widerThanTheWindow)) as string[]
    return cutOff.length === 0
  }
  await until(isWhole).catch(() => {})
  return cutOff
}

const fileOf = (path: string): string =>
  path
    .replace('/console', '')
    .replaceAll(/[/:?=]+/g, '-')
    .slice(1) || 'overview'

/** What stands out of the window sideways, unless it can be scrolled where it stands. */
const widerThanTheWindow = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const scrolls = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement))
    .map((element) => element.tagName + '.' + element.className).slice(0, 5)
})()`
