// What a person sets up: how high the rows are, and views of the transactions by name; and what stuck ones have in common.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let olga: Person
let anna: Desk
let boris: Desk

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  seeded = await seedOf(stack)
  olga = await stack.hire('operator', 'Olga Operator')
  const seated = async (name: string) => stack.seat(await stack.hire('operator', name))
  ;[anna, boris] = await Promise.all([seated('Anna Berg'), seated('Boris Lund')])
})
afterAll(() => stack?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const rowHeight = async (page: Page) => (await page.locator('tbody tr.can-open').first().boundingBox())?.height ?? 0

/** How far the words of the checkbox begin behind its beginning, in pixels. */
const wordsBehindShared = `(() => {
  const checkbox = document.querySelector('dialog [name=shared]')
  const words = document.createRange()
  words.selectNode(checkbox.nextSibling)
  return words.getBoundingClientRect().left - checkbox.getBoundingClientRect().left
})()`

async function openList({ page }: Desk, path = '/console/transactions'): Promise<Page> {
  await page.goto(path)
  await settledPage(page)
  return page
}

test.skipIf(!hasChromium)(
  'rows are one line, and as high as a person wants them, in every browser of theirs',
  async () => {
    const desk = await stack.seat(olga, { own: true })
    const page = await openList(desk)
    expect(await rowHeight(page)).toBeLessThanOrEqual(42)
    await page.getByRole('button', { name: /account of Olga/ }).click()
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/desk/preferences') && answer.ok())
    await page.getByRole('button', { name: 'Comfortable rows' }).click()
    await kept
    await eventually(async () => expect(await rowHeight(page)).toBeGreaterThan(42))
    await keepLooks(desk, 'transactions-comfortable', ['wide'])
    const other = await stack.seat(olga, { own: true })
    const elsewhere = await openList(other)
    await eventually(async () => expect(await rowHeight(elsewhere)).toBeGreaterThan(42))
    expect([...desk.problems, ...other.problems]).toEqual([])
    await Promise.all([desk.context.close(), other.context.close()])
  },
)

test.skipIf(!hasChromium)('filters are saved by a name, for everybody or for oneself, and are a link', async () => {
  const page = await openList(anna, '/console/transactions?status=FROZEN')
  await views(page).locator('[aria-current]', { hasText: 'Frozen' }).waitFor()
  expect(await page.getByRole('button', { name: 'Save this view…' }).count()).toBe(0)
  await page.getByLabel('Type').selectOption('DEPOSIT')
  await page.getByRole('button', { name: 'Save this view…' }).click()
  await dialog(page).getByLabel('Name').fill('Frozen deposits')
  expect(await page.evaluate(wordsBehindShared)).toBeLessThan(40)
  await dialog(page).getByLabel('For everybody').check()
  await keepLooks(anna, 'save-view', ['narrow-dark', 'wide'])
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await views(page).getByRole('link', { name: 'Frozen deposits' }).waitFor()

  const other = await openList(boris)
  await views(other).getByRole('link', { name: 'Frozen deposits' }).click()
  await other.waitForURL(
    (url) => url.searchParams.get('type') === 'DEPOSIT' && url.searchParams.get('status') === 'FROZEN',
  )
  expect(await other.getByRole('button', { name: 'Delete the view Frozen deposits' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Delete the view Frozen deposits' }).click()
  await views(page).getByRole('link', { name: 'Frozen deposits' }).waitFor({ state: 'detached' })
  expect([...anna.problems, ...boris.problems]).toEqual([])
})

test.skipIf(!hasChromium)('a view of today or of what is large asks the ledger for it', async () => {
  const page = await openList(boris)
  const asked = (part: string) => page.waitForRequest((request) => request.url().includes(part))
  const today = asked('status=FAILED')
  await views(page).getByRole('link', { name: 'Failed today' }).click()
  const from = new URL((await today).url()).searchParams.get('from') ?? ''
  expect(from.endsWith('T00:00:00.000Z')).toBe(true)
  const large = asked('minUsd=10000')
  await views(page).getByRole('link', { name: 'Large' }).click()
  await large
  await page.getByLabel('Days').selectOption('custom')
  await page.getByLabel('Days: first day').fill('2026-13-01')
  expect(await page.getByLabel('Days: first day').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Days: first day').fill('2026-01-31')
  await page.waitForURL((url) => url.searchParams.get('from') === '2026-01-31')
})

test.skipIf(!hasChromium)(
  'a text that is applied while it is typed stays as it is, with the space at its end',
  async () => {
    const page = await openList(boris)
    const field = page.getByLabel('Reference, hash or address', { exact: true })
    await field.pressSequentially('invoice ')
    await page.waitForURL((url) => url.searchParams.get('q') === 'invoice')
    await settledPage(page)
    await page.keyboard.type('7781')
    expect(await field.inputValue()).toBe('invoice 7781')
    await page.waitForURL((url) => url.searchParams.get('q') === 'invoice 7781')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await eventually(async () => expect(await field.inputValue()).toBe(''))
  },
)

test.skipIf(!hasChromium)('stuck ones of one cause say what to do, and are tried again together', async () => {
  const ids = [seeded.withdrawalToFail, seeded.withdrawalToRetry].filter((id) => id !== undefined)
  const page = await openList(anna, '/console/transactions?view=stuck')
  await until(
    async () => {
      await page.reload()
      await settledPage(page)
      return (await page.locator('tbody tr.can-open').count()) === ids.length
    },
    { what: 'both to be stuck' },
  )
  const cause = page.locator('tr.group', { hasText: 'The account or its institution is not active' })
  await cause.getByText('Activate it').waitFor()
  await keepLooks(anna, 'stuck', ['middle', 'narrow-dark', 'wide'])
  await cause.getByRole('button', { name: 'Try all 2 now…' }).click()
  await dialog(page).getByRole('textbox').fill('The account is looked at')
  await dialog(page).getByRole('button', { name: 'Try 2 transactions' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  for (const id of ids) {
    const { body } = await stack.platform.to('core-ledger').get(`/transactions/${id}/decisions`)
    expect(body.at(-1)).toMatchObject({ decision: 'RETRIED', note: 'The account is looked at' })
  }
  expect(anna.problems).toEqual([])
})
