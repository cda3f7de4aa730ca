// What goes wrong while somebody works: a service is down or slow, the session ends, answers get lost, the gateway goes
// away. What was on the screen stays, what is old says so, and nothing is carried out by itself or twice.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { frozenDeposit, seedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let operator: Person
/** Whose sessions a test ends, all at once. */
let leaver: Person
let desk: Desk

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  ;[seeded, operator, leaver] = await Promise.all([
    seedOf(stack),
    stack.hire('operator', 'Olga Operator'),
    stack.hire('operator', 'Lea Leaver'),
  ])
  desk = await stack.seat(operator)
})
afterAll(() => stack?.close())

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).first()
/** Tries again until what is asked holds. The page asks by itself, too, and takes the button away when it has an answer. */
const untilBack = (page: Page, what: string, isBack: () => Promise<boolean>) =>
  until(
    async () => {
      if (await tryAgain(page).isVisible())
        await tryAgain(page)
          .click({ timeout: 1000 })
          .catch(() => {})
      return await isBack()
    },
    { what },
  )
const rows = (page: Page) => page.locator('tbody tr.can-open')
const accountStatus = async () => (await stack.platform.to('account').get(`/accounts/${seeded.account}`)).body.status

describe.skipIf(!hasChromium)('a service', () => {
  test('is down: its sentence, the request, a way to try again; then all is there', async () => {
    const { page, context } = await stack.seat(operator)
    await stack.platform.stop('core-ledger')
    await page.goto('/console/transactions')
    const alert = page.getByRole('alert').first()
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/core-ledger.*Request/)
    // The rest of the console works on.
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await rows(page).first().waitFor()
    await page.goBack()
    await alert.waitFor()
    await tryAgain(page).click()
    await alert.waitFor()
    await stack.platform.start('core-ledger')
    await untilBack(page, 'the list to be back', () => rows(page).first().isVisible())
    await context.close()
  })

  test('goes down while its list is shown: the rows stay, and say of when they are', async () => {
    const { page, context } = await stack.seat(operator)
    await page.clock.install()
    await page.goto('/console/transactions')
    await rows(page).first().waitFor()
    const shown = await rows(page).count()
    await stack.platform.stop('core-ledger')
    await page.clock.fastForward('01:00')
    const stale = page.locator('.note', { hasText: 'As of' })
    await stale.waitFor()
    expect(await stale.textContent()).toContain('UTC')
    expect(await rows(page).count()).toBe(shown)
    await stack.platform.start('core-ledger')
    await untilBack(page, 'the list to be fresh', async () => (await stale.count()) === 0)
    expect(await rows(page).count()).toBe(shown)
    await context.close()
  })

  test('is slow: the page shows where its answer will stand, and the rest at once', async () => {
    const { page } = desk
    const held = Promise.withResolvers<void>()
    await page.route('**/console/api/core/v1/transactions?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/console/transactions')
    await page.locator('.bone').first().waitFor()
    expect(await page.locator('h1').textContent()).toBe('Transactions')
    expect(await page.getByLabel('Status').isEnabled()).toBe(true)
    held.resolve()
    await rows(page).first().waitFor()
    expect(await page.locator('.bone').count()).toBe(0)
    await page.unroute('**/console/api/core/v1/transactions?*')
  })
})

describe.skipIf(!hasChromium)('the session ends in mid-work', () => {
  test('what was typed stays behind the log-in, is not carried out by itself, and goes on after it', async () => {
    const { page, context } = await stack.seat(leaver, { own: true })
    await page.goto(`/console/accounts/${seeded.account}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const act = page.getByRole('dialog', { name: 'Suspend this account?' })
    await act.getByLabel('Reason').fill('The owner cannot be reached')
    const ended = await page.request.delete(`${stack.url}/console/api/session?everywhere=true`, {
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' },
    })
    expect(ended.status()).toBeLessThan(300)
    // By the page itself: what it reads meanwhile may have brought the log-in over the button.
    await page.evaluate("document.querySelector('dialog form').requestSubmit()")
    const logIn = page.getByRole('dialog', { name: 'Your session has ended' })
    const password = logIn.getByLabel('Password', { exact: true })
    await password.waitFor()
    await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('password'))
    await password.fill(leaver.password)
    await logIn.getByRole('button', { name: 'Log in' }).click()
    await logIn.waitFor({ state: 'detached' })
    await act.getByText('Not carried out.').waitFor()
    expect(await accountStatus()).toBe('active')
    expect(await act.getByLabel('Reason').inputValue()).toBe('The owner cannot be reached')
    await act.getByRole('button', { name: 'Suspend' }).click()
    await act.waitFor({ state: 'detached' })
    expect(await accountStatus()).toBe('suspended')
    await stack.platform.to('account').put(`/accounts/${seeded.account}`, { status: 'active' })
    await context.close()
  })
})

describe.skipIf(!hasChromium)('the style of the pages behind the first one', () => {
  const stylesOf = (page: Page) => page.evaluate('document.styleSheets.length')
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  test('has come when one is shown, once for all, also by the back button', async () => {
    const { page, problems, context } = await stack.seat(operator)
    const held = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/assets/pages-*.css', async (route) => {
      asked += 1
      await held.promise
      await route.continue()
    })
    await page.goto('/console')
    await settledPage(page)
    expect([asked, await stylesOf(page)]).toEqual([0, 1])
    const [script] = await Promise.all([
      page.waitForRequest(/assets\/.*\.js$/),
      page.getByRole('link', { name: 'Transactions', exact: true }).click(),
    ])
    // The page's script is here, and could have been shown.
    await page.evaluate(`import(${JSON.stringify(script.url())})`)
    // That the style is asked for is told here by another way than what the page itself tells.
    await eventually(() => expect(asked).toBe(1))
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
    expect([asked, await heading(page, 'Transactions').count()]).toEqual([1, 0])
    held.resolve()
    await page.locator('.kind-sign').first().waitFor()
    const width = () => page.evaluate("getComputedStyle(document.querySelector('.kind-sign')).width")
    await eventually(async () => expect(await width()).toBe('22px'))
    await page.getByRole('link', { name: 'Health', exact: true }).click()
    await heading(page, 'Health').waitFor()
    await page.goBack()
    await heading(page, 'Transactions').waitFor()
    await page.goBack()
    await heading(page, 'Overview').waitFor()
    await page.goForward()
    await heading(page, 'Transactions').waitFor()
    expect([asked, await stylesOf(page)]).toEqual([1, 2])
    expect(problems).toEqual([])
    await context.close()
  })

  test('is asked for again where it has not come', async () => {
    const { page, context } = await stack.seat(operator)
    let asked = 0
    await page.route('**/assets/pages-*.css', (route) => (++asked === 1 ? route.abort() : route.continue()))
    await page.goto('/console/transactions')
    await heading(page, 'Transactions').waitFor()
    expect([asked, await stylesOf(page)]).toEqual([2, 2])
    await context.close()
  })
})

describe.skipIf(!hasChromium)('an answer is lost', () => {
  test('the dialog says that it may be done; sent again with its key, it is one decision', async () => {
    const id = await frozenDeposit(stack, seeded, '21')
    const { page } = desk
    await page.goto(`/console/transactions/${id}`)
    await page.getByRole('button', { name: 'Approve…' }).click()
    const keys: (string | undefined)[] = []
    await page.route(`**/transactions/${id}/approve-frozen-deposit`, async (route) => {
      const headers = route.request().headers()
      keys.push(headers['idempotency-key'])
      if (keys.length > 2) return await route.continue()
      // What a service says while the first one is still under way: it tells nothing of the outcome.
      const running = { status: 409, headers: { 'retry-after': '1' }, json: { message: 'Still being worked on' } }
      if (keys.length === 2) return await route.fulfill(running)
      // The gateway carries it out, and the page does not hear of it.
      await route.fetch({ headers: { ...headers, 'sec-fetch-site': 'same-origin' } })
      await route.abort()
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('It may have been carried out').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('Still being worked on').waitFor()
    await dialog.getByText('It may have been carried out').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
    const { body } = await stack.platform.to('core-ledger').get(`/transactions/${id}/decisions`)
    expect(body).toMatchObject([{ decision: 'APPROVED' }])
    await page.unroute(`**/transactions/${id}/approve-frozen-deposit`)
  })
})

describe.skipIf(!hasChromium)('the gateway', () => {
  test('goes away: the page says since when, keeps what it shows, and reads anew when it is back', async () => {
    const { page } = desk
    await page.goto('/console/customers')
    await rows(page).first().waitFor()
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await rows(page).first().waitFor()
    await stack.platform.stop('gateway')
    await page.getByLabel('Status').selectOption('suspended')
    const banner = page.locator('.banner')
    await banner.getByText(/The gateway cannot be reached since .* UTC/).waitFor()
    // The customers were read before: they are still there.
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await rows(page).first().waitFor()
    await stack.platform.start('gateway')
    await untilBack(page, 'the banner to be gone', async () => (await banner.count()) === 0)
    await settledPage(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('cannot be reached because the network of this computer is gone: the same is said', async () => {
    const { page, context } = desk
    await page.goto('/console/accounts')
    await rows(page).first().waitFor()
    await context.setOffline(true)
    await page.getByLabel('Status').selectOption('active')
    await page.locator('.banner').waitFor()
    await context.setOffline(false)
    await page.locator('.banner').waitFor({ state: 'detached' })
    await rows(page).first().waitFor()
  })
})

test.skipIf(!hasChromium)('nobody is there for ten minutes: what is shown is no longer read, and says so', async () => {
  const { page, context } = await stack.seat(operator)
  await page.clock.install()
  await page.goto('/console/transactions')
  await rows(page).first().waitFor()
  await page.clock.fastForward('11:00')
  await page.getByText('The page was not used for ten minutes').waitFor()
  const reads: string[] = []
  page.on('request', (request) => reads.push(request.url()))
  await page.clock.fastForward('05:00')
  expect(reads).toEqual([])
  await page.keyboard.press('Shift')
  await page.getByText('The page was not used for ten minutes').waitFor({ state: 'detached' })
  await context.close()
})
