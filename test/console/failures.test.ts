// What goes wrong while somebody works: a service is down or slow, the session ends, the gateway goes away. Nothing that
// was on the screen is lost, what is old says so, and nothing is carried out by itself.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasChromium } from './browser'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, openConsole, type Person } from './stack'

setDefaultTimeout(120_000)

let stack: ConsoleStack
let operator: Person

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  operator = await stack.hire('operator', 'Olga Operator')
})
afterAll(() => stack?.close())

describe.skipIf(!hasChromium)('a fault in mid-work', () => {
  test('a service is down: its sentence, the request, a way to try again; then all is there', async () => {
    const { page, context } = await stack.seat(operator)
    await stack.platform.stop('core-ledger')
    await page.goto('/console/transactions')
    const alert = page.getByRole('alert').first()
    await alert.waitFor()
    expect(await alert.textContent()).toContain('Request')
    // The rest of the console works on.
    expect(await page.getByRole('link', { name: 'Participants' }).isVisible()).toBe(true)
    await stack.platform.start('core-ledger')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await alert.waitFor({ state: 'detached' })
    await settledPage(page)
    await context.close()
  })

  test('what was read before stays, and says of when it is', async () => {
    const { page, context } = await stack.seat(operator)
    await page.goto('/console/accounts')
    await settledPage(page)
    await stack.platform.stop('account')
    await page.getByLabel('Search', { exact: false }).first().blur()
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.reload()
    await page.getByRole('alert').first().waitFor()
    await stack.platform.start('account')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await settledPage(page)
    await context.close()
  })

  test('a slow service: the page shows where its answer will stand, and the rest at once', async () => {
    const { page, context } = await stack.seat(operator)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/console/api/core/v1/transactions?*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/console/transactions')
    await page.locator('.bone').first().waitFor()
    expect(await page.locator('h1').textContent()).toBe('Transactions')
    release()
    await settledPage(page)
    await context.close()
  })

  test('the session ends elsewhere: the page stays behind a log-in, and goes on after it', async () => {
    const { page, context } = await stack.seat(operator)
    await page.goto('/console/transactions')
    await settledPage(page)
    const other = await stack.seat(operator)
    const ended = await other.page.request.delete(`${stack.url}/console/api/session?everywhere=true`, {
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' },
    })
    expect(ended.status()).toBeLessThan(300)
    await page.getByRole('link', { name: 'Accounts' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your session has ended').waitFor()
    await dialog.getByLabel('Password').fill(operator.password)
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await settledPage(page)
    expect(new URL(page.url()).pathname).toBe('/console/accounts')
    await context.close()
    await other.context.close()
  })

  test('the gateway goes away and comes back: the page says so, keeps what it shows, and reads anew', async () => {
    const { page, context } = await stack.seat(administrator)
    await page.goto('/console/customers')
    await settledPage(page)
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('alert').first().waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await settledPage(page)
    await page.locator('.banner').waitFor({ state: 'detached' })
    await context.close()
  })
})
