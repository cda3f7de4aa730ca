// What nobody asked for: Escape pressed twice, the way back under an open dialog, an answer that is no
// answer, a log-in as somebody else. What must stay on the screen stays, and what is over goes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { frozenDeposit, seedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, openConsole, type Person } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let olga: Person
let boris: Person
const flow = test.skipIf(!hasChromium)

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  ;[seeded, olga, boris] = await Promise.all([
    seedOf(stack),
    stack.hire('operator', 'Olga Lind'),
    stack.hire('operator', 'Boris Lund'),
  ])
})
afterAll(() => stack?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const logIn = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
const rows = (page: Page) => page.locator('tbody tr.can-open')
const painted = (page: Page) =>
  page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')

async function pressTwice(page: Page, key: string): Promise<void> {
  for (const _ of [1, 2, 3]) await page.keyboard.press(key)
  await painted(page)
}

/** Holds what the page asks for there until it is let go. */
async function held(page: Page, path: string) {
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  return { asked: asked.promise, release: () => released.resolve() }
}

flow('Escape twice: a dialog that must be answered stays, as does one whose decision is under way', async () => {
  const { page, context } = await stack.seat(olga, { own: true })
  await page.goto(`/console/accounts/${seeded.account}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await dialog(page).getByLabel('Reason').fill('The owner cannot be reached')
  const put = await held(page, '**/console/api/account/v1/accounts/*')
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await put.asked
  await pressTwice(page, 'Escape')
  // A dialog that a second Escape has closed is open again a task later.
  await dialog(page).getByText('Sending…').waitFor()
  put.release()
  await dialog(page).waitFor({ state: 'detached' })
  await stack.platform.to('account').put(`/accounts/${seeded.account}`, { status: 'active' })
  await context.clearCookies()
  // Without a pointer: what the page reads by itself may have brought the log-in over the link.
  await page.getByRole('link', { name: 'Customers', exact: true }).dispatchEvent('click')
  await logIn(page).getByLabel('Password', { exact: true }).waitFor()
  await pressTwice(page, 'Escape')
  await logIn(page).getByLabel('Password', { exact: true }).waitFor()
  await context.close()
})

flow('the way back under an open dialog: it was about the record before, and is gone', async () => {
  const { page, context } = await stack.seat(olga)
  await page.goto('/console/accounts')
  await rows(page).nth(1).waitFor()
  const [one, other] = await page
    .locator('a.row-open')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  await page.goto(one ?? '')
  await settledPage(page)
  const name = await page.locator('h1').textContent()
  // As a link of the search does: without loading the console again.
  await page.evaluate(`(() => {
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(other)} })
    document.querySelector('main').append(link)
    link.click()
    link.remove()
  })()`)
  await page.waitForURL(`**${other}`)
  await settledPage(page)
  expect(await page.locator('h1').textContent()).not.toBe(name)
  await page.getByRole('button', { name: /Suspend|Activate/ }).click()
  await dialog(page).waitFor()
  await page.goBack()
  await page.waitForURL(`**${one}`)
  await page.getByRole('heading', { level: 1, name: name ?? '', exact: true }).waitFor()
  expect(await dialog(page).count()).toBe(0)
  await context.close()
})

for (const [what, body] of [
  ['a page of somebody else', '<!doctype html><title>Sign in to the network</title>'],
  ['half of it', '[{"id":"0199'],
] as const) {
  flow(`an answer that is ${what} is an error, and the page stands`, async () => {
    const { page, problems, context } = await stack.seat(olga)
    await page.route('**/console/api/account/v1/accounts?*', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body }),
    )
    await page.goto('/console/accounts')
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByText('This page has a fault').count()).toBe(0)
    await page.unroute('**/console/api/account/v1/accounts?*')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await rows(page).first().waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
}

flow('who ends this session sees nothing of it after a log-in as somebody else', async () => {
  const { page, context } = await stack.seat(olga, { own: true })
  await page.goto('/console/transactions')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: /account of Olga Lind/ }).click()
  await page.getByRole('button', { name: 'Your sessions' }).click()
  const own = page.getByRole('listitem').filter({ hasText: 'This one' })
  expect(await own.textContent()).toMatch(/\d, last renewed/)
  await own.getByRole('button', { name: /^End the session/ }).click()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  const list = await held(page, '**/console/api/core/v1/transactions?*')
  await page.getByLabel('E-mail').fill(boris.email)
  await page.getByLabel('Password', { exact: true }).fill(boris.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await list.asked
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  expect(await rows(page).count()).toBe(0)
  list.release()
  await rows(page).first().waitFor()
  await context.close()
})

flow('somebody else who logs in over a page finds no dialog of whoever was there before', async () => {
  const { page, context } = await stack.seat(olga, { own: true })
  await page.goto(`/console/accounts/${seeded.account}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  const act = page.getByRole('dialog', { name: 'Suspend this account?' })
  await act.getByLabel('Reason').fill('What Olga wrote')
  await context.clearCookies()
  // By the page itself: what it reads meanwhile may have brought the log-in over the button.
  await page.evaluate("document.querySelector('dialog form').requestSubmit()")
  await logIn(page).getByLabel('E-mail').fill(boris.email)
  await logIn(page).getByLabel('Password', { exact: true }).fill(boris.password)
  await logIn(page).getByRole('button', { name: 'Log in' }).click()
  await logIn(page).waitFor({ state: 'detached' })
  await settledPage(page)
  expect(await act.count()).toBe(0)
  await context.close()
})

flow('a reason of spaces is none', async () => {
  const { page, context } = await stack.seat(olga)
  await page.goto(`/console/accounts/${seeded.account}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  const reason = dialog(page).getByLabel('Reason')
  await reason.pressSequentially('    ')
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await eventually(async () => expect(await dialog(page).locator('.field-problem').count()).toBe(1))
  await reason.fill('')
  await reason.pressSequentially('The owner cannot be reached')
  expect(await dialog(page).locator('.field-problem').count()).toBe(0)
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await stack.platform.to('account').put(`/accounts/${seeded.account}`, { status: 'active' })
  await context.close()
})

flow('the reviews of nobody, or of all, are no decision of a colleague', async () => {
  const id = await frozenDeposit(stack, seeded, '61')
  const { page, context } = await stack.seat(olga)
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  await page.locator('.review-details').getByText('61').first().waitFor()
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByText('None is assigned to you').waitFor()
  expect(await page.getByText('Decided meanwhile.').count()).toBe(0)
  await context.close()
})

flow('an answer that is late is not called a refusal', async () => {
  const id = await frozenDeposit(stack, seeded, '62')
  const { page, context } = await stack.seat(olga)
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  await page.route('**/approve-frozen-deposit', (route) =>
    route.fulfill({ status: 504, json: { error: { code: 'GATEWAY_TIMEOUT', message: 'The core-ledger is late' } } }),
  )
  await page.locator('.review-details').getByRole('button', { name: 'Approve…' }).click()
  await dialog(page).getByRole('button', { name: 'Approve' }).click()
  await dialog(page).getByText('No answer came.').waitFor()
  expect(await page.locator('[role=status]').allTextContents()).not.toContainEqual(
    expect.stringContaining('Not carried'),
  )
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await page.locator('.outcome').getByText('The core-ledger is late').waitFor()
  expect(await page.getByText('Not carried out.').count()).toBe(0)
  await context.close()
})

flow('by its key, too, nobody approves alone what takes two', async () => {
  const id = await frozenDeposit(stack, seeded, '63')
  const { page, context } = await stack.seat(olga)
  const me = await page.request.get(`${stack.url}/console/api/session`)
  const { user } = await me.json()
  await page.route('**/core/v1/transactions/review?*', async (route) => {
    const answer = await route.fetch()
    const found = (await answer.json()) as object[]
    const approvals = [{ actor: { kind: 'user', id: user.id }, at: new Date().toISOString(), note: null }]
    await route.fulfill({ response: answer, json: found.map((item) => ({ ...item, required: 2, approvals })) })
  })
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  await page.getByRole('button', { name: 'Approved by you' }).waitFor()
  await page.keyboard.press('a')
  await painted(page)
  expect(await dialog(page).count()).toBe(0)
  await page.keyboard.press('x')
  await dialog(page).waitFor()
  // The queue is read again at intervals: one such read may be under way here.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

flow(
  'a session that ends over a console whose gateway is newer: the log-in cannot be loaded, and that is said',
  async () => {
    const { page, context } = await stack.seat(olga, { own: true })
    await page.goto('/console/transactions')
    await rows(page).first().waitFor()
    await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404, json: {} }))
    await context.clearCookies()
    await page.getByLabel('Status').selectOption('FROZEN')
    const again = logIn(page).getByRole('button', { name: 'Load the console again' })
    await again.waitFor()
    await page.unroute('**/console/assets/*.js')
    await again.click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    expect(page.url()).toContain('status=FROZEN')
    await context.close()
  },
)

flow('what the browser does not copy is said, not passed over', async () => {
  const { page, problems, context } = await stack.seat(olga)
  await page.goto(`/console/accounts/${seeded.account}`)
  await settledPage(page)
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await page.getByRole('status').filter({ hasText: 'Not copied' }).waitFor({ state: 'attached' })
  expect(problems).toEqual([])
  await context.close()
})
