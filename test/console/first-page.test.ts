// What a browser that has nothing yet loads for the overview, and for the log-in: bytes over the wire, and requests.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { storyOf } from '../e2e/story'
import { hasChromium } from './browser'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, openConsole } from './stack'

let stack: ConsoleStack

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  await storyOf(stack.url, stack.platform.env)
})
afterAll(() => stack?.close())

/** The paths that a page loads until it is shown, and their bytes as they were packed. */
async function loadedBy(page: Page, path: string, shown: () => Promise<unknown>) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const paths = new Map<string, string>()
  let bytes = 0
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith(stack.url)) paths.set(requestId, new URL(request.url).pathname)
  })
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (paths.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(path)
  await shown()
  await page.waitForLoadState('networkidle')
  return { paths: [...paths.values()], bytes }
}

test.skipIf(!hasChromium)('the overview: 60 KB in eight requests', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  const { paths, bytes } = await loadedBy(page, '/console', async () => {
    await settledPage(page)
    await page.getByText('Balances by asset').waitFor()
  })
  expect({ paths, isFew: paths.length <= 8 }).toEqual({ paths, isFew: true })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(60_000)
  expect(problems).toEqual([])
  await context.close()
})

test.skipIf(!hasChromium)('the log-in: a script of its own, and none of the console’s', async () => {
  const { page, problems, context } = await stack.empty()
  const { paths, bytes } = await loadedBy(page, '/console/transactions', () =>
    page.getByRole('button', { name: 'Log in' }).waitFor(),
  )
  expect(paths.filter((path) => path.endsWith('.js')).length).toBe(1)
  expect(bytes).toBeLessThanOrEqual(40_000)
  await page.getByLabel('E-mail').fill(administrator.email)
  await page.getByLabel('Password').fill(administrator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  // The page that was asked for, by the console's own script.
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
