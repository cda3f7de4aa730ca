// A ledger with 100,000 transactions: the lists open, filter and go on by keyset, and no page of them grows the document
// beyond its rows. And one decision from the log-in to its result, by keyboard alone.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tempDir, until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { ledgerId, seedLedger } from '../bench/ledger-seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { type ConsoleStack, openConsole, type Person } from './stack'

const deposits = 99_980
const pending = 20
const rowsOfAPage = 50
/** A row has about sixty elements; a list that grew by anything else than its rows would go beyond it. */
const mostElementsARow = 80

let stack: ConsoleStack
let operator: Person
let viewer: Person
/** Two that wait for a decision, the older first. */
let frozen: string[] = []
const hash = `0x${'5eed'.repeat(16)}`
/** The one with that hash. */
let arrived = ''

beforeAll(async () => {
  if (!hasChromium) return
  const DATA_DIR = tempDir()
  await seedLedger(DATA_DIR, { accounts: 200, deposits, pending })
  stack = await openConsole({ DATA_DIR })
  ;[operator, viewer, arrived] = await Promise.all([
    stack.hire('operator', 'Olga Operator'),
    stack.hire('viewer', 'Vera Viewer'),
    payIn(),
  ])
  frozen = [await freeze('pending', 0), await freeze('pending', 1)]
})
afterAll(() => stack?.close())

const ledger = () => stack.platform.to('core-ledger')

/** A deposit with that hash, credited; its id. */
async function payIn(): Promise<string> {
  const account = { type: 'STABLECOINS', status: 'active', name: 'Treasury' }
  const opened = await stack.platform.to('account').post('/accounts', account)
  const { body } = await ledger().post('/transactions/deposit', {
    accountId: opened.body.id,
    assetId: ledgerId('asset', 0),
    network: 'testnet',
    amount: '12.5',
    sourceAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    txHash: hash,
  })
  await ledger().post('/transactions/complete-screening', { id: body.id, isApproved: true })
  await until(async () => (await ledger().get(`/transactions/${body.id}`)).body.status === 'COMPLETED', {
    what: 'the deposit to be credited',
  })
  return body.id
}

async function freeze(...of: Parameters<typeof ledgerId>): Promise<string> {
  const id = ledgerId(...of)
  const screeningData = { provider: 'Chainlight', score: 91, reason: 'Received from a mixer' }
  await ledger().post('/transactions/complete-screening', { id, isApproved: false, screeningData })
  return id
}

const rows = (page: Page) => page.locator('tbody tr.can-open')
const elements = (page: Page) => page.locator('*').count()
const shownIds = (page: Page) =>
  page
    .locator('a.row-open')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').split('/').at(-1) ?? ''))
const rowsAre = (page: Page, count: number) =>
  until(async () => (await rows(page).count()) === count, {
    what: `${count} rows to be shown`,
  })

/** Scrolls to the end of the page; where the last row is on the screen afterwards, once there are so many rows. */
async function scrollOn(page: Page, count: number): Promise<void> {
  const last = rows(page).last()
  const href = await last.locator('a.row-open').getAttribute('href')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const place = async () =>
    (await page.locator('tbody tr', { has: page.locator(`a[href="${href}"]`) }).boundingBox())?.y
  const before = await place()
  await rowsAre(page, count)
  // Nothing jumps: what one looks at stays where it is.
  expect(await place()).toBeCloseTo(before ?? Number.NaN, 0)
}

async function openList(path: string) {
  const desk = await stack.seat(operator)
  await desk.page.goto(path)
  await rows(desk.page).first().waitFor()
  return desk
}

describe.skipIf(!hasChromium)('100,000 transactions', () => {
  test('a list goes on by keyset when one scrolls to its end: in order, without a row twice, and grows by its rows alone', async () => {
    const { page, problems, context } = await openList('/console/transactions')
    await rowsAre(page, rowsOfAPage)
    const first = await elements(page)
    expect(first).toBeLessThan(rowsOfAPage * mostElementsARow)
    const asked: URLSearchParams[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/core/v1/transactions')) asked.push(url.searchParams)
    })
    for (const pages of [2, 3, 4]) {
      const last = (await shownIds(page)).at(-1)
      await scrollOn(page, pages * rowsOfAPage)
      expect(asked.some((query) => query.get('after') === last)).toBe(true)
    }
    expect(asked.every((query) => !query.has('offset') && query.get('limit') === String(rowsOfAPage))).toBe(true)
    expect(await elements(page)).toBeLessThan(4 * rowsOfAPage * mostElementsARow)
    const ids = await shownIds(page)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(problems).toEqual([])
    await context.close()
  })

  test('j on the last row goes on with the next page', async () => {
    const { page, problems, context } = await openList('/console/transactions')
    await rowsAre(page, rowsOfAPage)
    await rows(page).last().locator('a.row-open').focus()
    await rowsAre(page, 2 * rowsOfAPage)
    await page.keyboard.press('j')
    const next = (await shownIds(page))[rowsOfAPage]
    expect(await page.locator(':focus').getAttribute('href')).toBe(`/console/transactions/${next}`)
    expect(problems).toEqual([])
    await context.close()
  })

  test('filters find the few among the many, and the one by its hash', async () => {
    const { page, context } = await openList('/console/transactions')
    await page.getByLabel('Status').selectOption('PENDING')
    await rowsAre(page, pending - frozen.length)
    await page.getByLabel('Type').selectOption('WITHDRAWAL')
    await page.getByText('No transaction matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.getByLabel('Reference, hash or address', { exact: true }).fill(hash)
    await rowsAre(page, 1)
    expect(await shownIds(page)).toEqual([arrived])
    await rows(page).first().click()
    await page.getByRole('heading', { level: 1, name: /^Deposit of/ }).waitFor()
    // Back, the filter and its row are there again.
    await page.goBack()
    await rowsAre(page, 1)
    await context.close()
  })

  test('the CSV has every row, to the last one', async () => {
    const { page, context } = await openList('/console/transactions?status=COMPLETED')
    const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    // Playwright's own request takes three times as long for so many bytes, and has a limit.
    const answer = await fetch(stack.url + href, { headers: { cookie } })
    const lines = (await answer.text()).trimEnd().split('\r\n')
    // The head, those of the seed, and the one that came in.
    expect(lines.length).toBeGreaterThanOrEqual(1 + deposits + 1)
    expect(lines.at(-1)).toContain(ledgerId('deposit', 0))
    await context.close()
  })

  test('the overview counts them, and opens', async () => {
    const { page, problems, context } = await stack.seat(viewer)
    await page.goto('/console')
    await page
      .locator('.figure', { hasText: 'Pending screening' })
      .getByText(String(pending - frozen.length))
      .waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
})

/** What has the focus can be seen to have it. */
const focusIsVisible = `(() => {
  const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement)
  return document.activeElement.matches(':focus-visible') && (outlineStyle !== 'none' || boxShadow !== 'none')
})()`

test.skipIf(!hasChromium)('by keyboard alone: from the log-in to a decision and its result', async () => {
  const { email, password } = operator
  const { page, problems, context } = await stack.empty()
  const { keyboard } = page
  await page.goto('/console')
  await page.getByLabel('E-mail').waitFor()
  // The field may have the focus already.
  while ((await page.locator('input[name=email]:focus').count()) === 0) await keyboard.press('Tab')
  await keyboard.type(email)
  await keyboard.press('Tab')
  await keyboard.type(password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await keyboard.press('g')
  await keyboard.press('r')
  await page.waitForURL('**/console/review')
  await rowsAre(page, 2)
  await keyboard.press('j')
  await keyboard.press('j')
  await page.locator('tbody tr.is-selected').nth(0).waitFor()
  const chosen = rows(page).nth(1)
  await until(async () => (await chosen.getAttribute('class'))?.includes('is-selected') ?? false, {
    what: 'the second row to be chosen',
  })
  await eventually(async () => expect(await page.evaluate(focusIsVisible)).toBe(true))

  await keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await keyboard.type('The invoice was seen')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Approve')
  expect(await page.evaluate(focusIsVisible)).toBe(true)
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('status').filter({ hasText: 'The deposit is approved' }).first().waitFor()
  await rowsAre(page, 1)
  const { body } = await ledger().get(`/transactions/${frozen[1]}/decisions`)
  expect(body).toMatchObject([{ decision: 'APPROVED', note: 'The invoice was seen' }])

  // The other one stays, and so does the way back: Escape takes nothing along.
  await eventually(async () => {
    // A key that comes before the next row is chosen is for no row.
    await keyboard.press('x')
    await dialog.waitFor({ timeout: 2000 })
  })
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect((await ledger().get(`/transactions/${frozen[0]}`)).body.status).toBe('FROZEN')
  expect(problems).toEqual([])
  await context.close()
})
