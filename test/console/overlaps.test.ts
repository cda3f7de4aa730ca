// What happens twice or at once: a button is pressed twice, two tabs have different people, and a run of decisions loses its
// session or the gateway on its way. One decision is one request, what is shown belongs to who is logged in, and a run goes
// on where it stopped.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { frozenDeposit, seedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, openConsole, type Person } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let anna: Person
let boris: Person
const flow = test.skipIf(!hasChromium)

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  ;[seeded, anna, boris] = await Promise.all([
    seedOf(stack),
    stack.hire('operator', 'Anna Berg'),
    stack.hire('operator', 'Boris Lund'),
  ])
})
afterAll(() => stack?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const logIn = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
const statusOf = async (id: string): Promise<string> =>
  (await stack.platform.to('core-ledger').get(`/transactions/${id}`)).body.status

/** The keys of the writes that the page sends from now on. */
function writesOf(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') keys.push(request.headers()['idempotency-key'] ?? request.url())
  })
  return keys
}

/** Logs in at the dialog that has come over the page. */
async function returnTo(page: Page, { email, password }: Person): Promise<void> {
  await logIn(page).getByLabel('E-mail').fill(email)
  await logIn(page).getByLabel('Password', { exact: true }).fill(password)
  await logIn(page).getByRole('button', { name: 'Log in' }).click()
  await logIn(page).waitFor({ state: 'detached' })
}

flow('two presses at once are one request: of one decision, and of many', async () => {
  const one = await frozenDeposit(stack, seeded, '31')
  const { page, context } = await stack.seat(anna)
  await page.goto(`/console/transactions/${one}`)
  await page.getByRole('button', { name: 'Approve…' }).dblclick()
  await dialog(page).waitFor()
  const keys = writesOf(page)
  const twice = `(() => {
    const form = document.querySelector('dialog[open] form')
    form.requestSubmit()
    form.requestSubmit()
  })()`
  await page.evaluate(twice)
  await dialog(page).waitFor({ state: 'detached' })
  expect([keys.length, await statusOf(one)]).toEqual([1, 'COMPLETED'])

  const two = await frozenDeposit(stack, seeded, '32')
  await page.goto(`/console/review?id=${two}`)
  await settledPage(page)
  await page.getByLabel('Select Deposit of 32 USDC').check()
  await page.getByRole('button', { name: 'Approve 1…' }).click()
  await dialog(page).waitFor()
  keys.length = 0
  await page.evaluate(twice)
  await dialog(page).waitFor({ state: 'detached' })
  expect([keys.length, await statusOf(two)]).toEqual([1, 'COMPLETED'])
  await context.close()
})

flow('of two keys that come at once the second is for the dialog that the first has opened', async () => {
  const id = await frozenDeposit(stack, seeded, '33')
  const { page, context } = await stack.seat(anna)
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  // What is rendered after the first is; nothing is painted in between.
  const atOnce = `(async () => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    press('a')
    for (let i = 0; i < 10; i++) await null
    press('x')
  })()`
  await page.evaluate(atOnce)
  expect(await dialog(page).getByRole('heading').textContent()).toStartWith('Approve')
  await context.close()
})

flow('another person who logs in in another tab ends what this one shows; the same person does not', async () => {
  const { page, context } = await stack.seat(anna, { own: true })
  await page.goto('/console/transactions')
  await settledPage(page)
  const other = await context.newPage()
  await other.goto('/console')
  await settledPage(other)
  expect(await logIn(page).count()).toBe(0)
  await context.request.post(`${stack.url}/console/api/session`, {
    data: boris,
    headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: stack.url },
  })
  await other.goto('/console')
  await settledPage(other)
  await logIn(page).waitFor()
  await returnTo(page, anna)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Transactions')
  // Now it is the other one's turn.
  await logIn(other).waitFor()
  await context.close()
})

flow('a log-out in one tab ends the others at once', async () => {
  const { page, context } = await stack.seat(boris, { own: true })
  await page.goto('/console/transactions')
  await settledPage(page)
  // No answer of the gateway tells it.
  await page.route('**/console/api/**', (route) => route.abort())
  const other = await context.newPage()
  await other.goto('/console')
  await settledPage(other)
  await other.getByRole('button', { name: /account of Boris Lund/ }).click()
  await other.getByRole('button', { name: 'Log out', exact: true }).click()
  await logIn(page).waitFor()
  await context.close()
})

for (const [what, needed] of [
  ['the session ends', 'Your session has ended. The remaining ones were not sent.'],
  ['the gateway does not answer', 'No answer came. Going on is safe: nothing is done twice.'],
] as const) {
  flow(`where ${what} a run of decisions stops, keeps its reason, and goes on where it stopped`, async () => {
    const ids = [await frozenDeposit(stack, seeded, '41'), await frozenDeposit(stack, seeded, '42')]
    const { page, context } = await stack.seat(anna, { own: true })
    await page.goto('/console/review')
    await settledPage(page)
    for (const sum of [41, 42]) await page.getByLabel(`Select Deposit of ${sum} USDC`).check()
    await page.getByRole('button', { name: 'Reject 2…' }).click()
    let sent = 0
    await page.route('**/reject-frozen-deposit', async (route) => {
      sent += 1
      if (sent !== 2) return await route.continue()
      if (what !== 'the session ends') return await route.abort()
      await page.request.delete(`${stack.url}/console/api/session`, {
        headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' },
      })
      await route.continue()
    })
    await dialog(page).getByLabel('Reason').fill('Suspected fraud')
    await dialog(page).getByRole('button', { name: 'Reject 2 transactions' }).click()
    if (what === 'the session ends') await returnTo(page, anna)
    await dialog(page).getByText(needed).waitFor()
    expect(sent).toBe(2)
    await dialog(page).getByRole('button', { name: 'Reject 1 transaction' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect([sent, await Promise.all(ids.map(statusOf))]).toEqual([3, ['REJECTED', 'REJECTED']])
    const { body } = await stack.platform.to('core-ledger').get(`/transactions/${ids[1]}/decisions`)
    expect(body).toMatchObject([{ decision: 'REJECTED', note: 'Suspected fraud' }])
    await context.close()
  })
}
