// Lists and forms that know less than they show, or more: an institution that takes no part yet, or that cannot be read; rows
// that come twice; two accounts of one name; a day that no calendar has; filters that a link has set.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Page, Route } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, openConsole, type Person } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let operator: Person
let member: Person
const flow = test.skipIf(!hasChromium)

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  seeded = await seedOf(stack)
  ;[operator, member] = await Promise.all([
    stack.hire('operator', 'Olga Lind'),
    stack.hire('participant-admin', 'Ada Harbour', { participantId: seeded.participant }),
  ])
})
afterAll(() => stack?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) => page.locator('tbody tr.can-open')
const participant = '**/console/api/participant/v1/participants/*'
const error = (code: string) => ({ error: { code, message: `It is ${code}` } })

/** Answers a list of so many rows in parts, as it is asked by offset. */
const inParts =
  (count: number, row: (i: number) => object, answer: (rows: object[]) => object) =>
  async (route: Route): Promise<void> => {
    const query = new URL(route.request().url()).searchParams
    const from = Number(query.get('offset') ?? 0)
    const all = Array.from({ length: count }, (_, i) => row(i))
    await route.fulfill({ json: answer(all.slice(from, from + Number(query.get('limit')))) })
  }
const idOf = (i: number) => `018f2f3e-0000-7000-8000-${String(i).padStart(12, '0')}`

flow('an institution that takes no part yet has no records, and each page says so', async () => {
  const { page, context } = await stack.seat(member)
  await page.route(participant, (route) => route.fulfill({ status: 404, json: error('NOT_FOUND') }))
  for (const [path, words] of [
    ['/console/customers', 'Your institution has no customer yet'],
    ['/console/accounts', 'Your institution has no account yet'],
    ['/console/transactions', 'Your institution has no account yet'],
    ['/console/statements', 'Your institution has no account yet'],
  ] as const) {
    await page.goto(path)
    await page.getByText(words).waitFor()
    expect(await page.locator('.bone').count()).toBe(0)
  }
  await context.close()
})

flow('an institution that cannot be read is an error on each page, which can be tried again', async () => {
  const { page, context } = await stack.seat(member)
  for (const path of ['/console/customers', '/console/transactions', '/console/statements']) {
    await page.route(participant, (route) => route.fulfill({ status: 409, json: error('AWAY') }))
    await page.goto(path)
    await page.getByRole('alert').getByText('It is AWAY').waitFor()
    await page.unroute(participant)
    await page.getByRole('button', { name: 'Try again' }).click()
    await settledPage(page)
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }
  await context.close()
})

flow('two accounts of one name are told apart where money is paid from them', async () => {
  const { page, context } = await stack.seat(member)
  await page.route(participant, async (route) => {
    const answer = await route.fetch()
    const found = (await answer.json()) as { customers: { accounts: object[] }[] }
    const [first] = found.customers
    const account = first?.accounts[0]
    const customers = ['north', 'south'].map((externalId, i) => ({
      ...first,
      id: idOf(i),
      externalId,
      accounts: [{ ...account, id: idOf(i), name: 'Treasury', status: 'active' }],
    }))
    await route.fulfill({ response: answer, json: { ...found, customers } })
  })
  await page.goto('/console')
  await page.getByRole('button', { name: 'New payment' }).click()
  const from = dialog(page).getByLabel('From the account')
  const options = ['north · Treasury', 'south · Treasury']
  await eventually(async () => expect(await from.locator('option').allTextContents()).toEqual(options))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

flow('a search of payments ends with its last one', async () => {
  const { page, context } = await stack.seat(operator)
  const party = {
    participantId: idOf(1),
    participantName: 'Harbour',
    custodianBankId: idOf(2),
    participantBankId: idOf(3),
  }
  const payment = (i: number) => ({
    id: idOf(i),
    type: 'TRANSFER',
    status: 'COMPLETED',
    reference: `INV-${i}`,
    amount: '5',
    currency: 'USD',
    from: party,
    to: party,
    createdAt: '2026-11-01T00:00:00.000Z',
  })
  const answer = (data: object[]) => ({ data, pageInfo: { total: 60, limit: 50, offset: 0 } })
  await page.route('**/transactions/v1/transactions?*search*', inParts(60, payment, answer))
  await page.goto('/console/bank?search=harbour')
  await rows(page).nth(49).waitFor()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await eventually(async () => expect(await page.getByText('60 shown').count()).toBe(1))
  expect([await rows(page).count(), await page.getByRole('button', { name: 'Load more' }).count()]).toEqual([60, 0])
  await context.close()
})

flow('a row that has moved to the next page meanwhile is shown once', async () => {
  const { page, problems, context } = await stack.seat(operator)
  const asset = (i: number) => ({
    id: idOf(i),
    name: `Coin ${i}`,
    code: `C${i}`,
    staticValue: 1,
    category: null,
    assetProviders: [],
  })
  // One was added before them between the two pages.
  const row = (i: number) => asset(i < 50 ? i : i - 1)
  const answer = (data: object[]) => ({ data, pageInfo: { total: 56, limit: 50, offset: 0 } })
  await page.route('**/quote/v1/assets?*', inParts(56, row, answer))
  await page.goto('/console/rates')
  await rows(page).nth(49).waitFor()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByText('C54', { exact: true }).waitFor()
  expect([await rows(page).count(), await page.getByText('C49', { exact: true }).count()]).toEqual([55, 1])
  expect(problems).toEqual([])
  await context.close()
})

flow('a line of credit ends on a day of the calendar; another limit leaves its end', async () => {
  const { page, context } = await stack.seat(administrator)
  const sent: (string | null)[] = []
  await page.route('**/main/v1/admin/pfi/*/credit-line', async (route) => {
    sent.push(route.request().postDataJSON().expiresAt)
    await route.fulfill({ json: {} })
  })
  const line = {
    participantId: seeded.participant,
    currency: 'USD',
    limit: '100',
    used: '0',
    available: '100',
    expiresAt: '2027-03-01T12:00:00.000Z',
  }
  await page.route('**/transactions/v1/credit-lines?*', (route) => route.fulfill({ json: [line] }))
  await page.goto('/console/bank?view=credit')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const day = dialog(page).getByLabel('Last day (optional)')
  const set = dialog(page).getByRole('button', { name: 'Set the limit' })
  for (const wrong of ['2027-02-31', '2027-13-45']) {
    await day.fill(wrong)
    await set.click()
    await dialog(page).getByText('There is no such day').waitFor()
    expect(await dialog(page).getByText('It may have been carried out').count()).toBe(0)
  }
  await day.fill('2027-02-28')
  await set.click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog(page)
    .getByLabel(/^Limit in/)
    .fill('200')
  await set.click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(sent).toEqual(['2027-02-28T23:59:59.999Z', '2027-03-01T12:00:00.000Z'])
  await context.close()
})

flow('the customer whose accounts a link asks for is among the filters', async () => {
  const { page, context } = await stack.seat(operator)
  await page.goto(`/console/accounts?customerId=${seeded.customer}`)
  expect(await page.getByLabel('Customer’s id').inputValue()).toBe(seeded.customer ?? '')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByLabel('Customer’s id').waitFor({ state: 'detached' })
  await context.close()
})

flow('the fields for days of one’s own go with them', async () => {
  const { page, context } = await stack.seat(operator)
  await page.goto('/console/transactions')
  await page.getByLabel('Days', { exact: true }).selectOption('custom')
  const first = page.getByLabel('Days: first day')
  await first.fill('2026-11-01')
  // Emptied by whoever writes another one.
  await first.fill('')
  await first.fill('2026-11-02')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await first.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Days', { exact: true }).inputValue()).toBe('')
  await context.close()
})

flow('a checkbox that has the focus takes no keys from the list', async () => {
  const { page, context } = await stack.seat(operator)
  await page.goto('/console/review')
  // A key that comes before a row is chosen is for no row.
  await page.locator('tbody tr.is-selected').waitFor()
  await page
    .getByLabel(/^Select /)
    .first()
    .check()
  await page.keyboard.press('x')
  await dialog(page)
    .getByRole('heading', { name: /^Reject this/ })
    .waitFor()
  await context.close()
})

flow('what came to the log during a pause is not shown under filters that were set since', async () => {
  const { page, context } = await stack.seat(operator)
  await page.clock.install()
  // Of this type no service says anything by itself, such as of its health.
  await page.goto('/console/log?service=log-tracker&type=VALUATION_PROCESSED')
  await page.locator('.live', { hasText: 'Live' }).waitFor()
  await page.keyboard.press('p')
  // One that the queue does not take in time is refused: 503.
  const add = async () =>
    (await stack.platform.to('log-tracker').post('/log-messages/test-add-log-message')).body.test_data?.request_id
  const id: string = await until(add, { what: 'the queue to take a message' })
  const row = page.locator('.log-row', { has: page.locator(`[title="${id}"]`) })
  await page.locator('.live', { hasText: 'Paused, 1 new' }).waitFor()
  await page.getByLabel('Status').selectOption('PENDING')
  await settledPage(page)
  await page.keyboard.press('p')
  // What waits is shown at intervals.
  await page.clock.runFor(1000)
  expect(await row.count()).toBe(0)
  await page.getByLabel('Status').selectOption('')
  await row.waitFor()
  await context.close()
})
