// What lists tell of each of their rows, with one request for all: balances of accounts, figures of endpoints; and what an
// act of the trail has set.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { seedOf } from './seeded'
import { administrator, type ConsoleStack, openConsole } from './stack'

setDefaultTimeout(120_000)
let stack: ConsoleStack
let seeded: SeededIds
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  seeded = await seedOf(stack)
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

/** The queries that a page sends to a path. */
function asked(page: Page, path: string): URLSearchParams[] {
  const queries: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith(path)) queries.push(url.searchParams)
  })
  return queries
}

const rowOf = (page: Page, id: string | undefined) =>
  page.locator('tbody tr', { has: page.locator(`a.row-open[href$="${id}"]`) })

flow('accounts with their balances and value: one request for the page', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  const queries = asked(page, '/balances/accounts')
  await page.goto('/console/accounts')
  const { body } = await stack.platform.to('core-ledger').get(`/balances/account/${seeded.account}`)
  const row = rowOf(page, seeded.account)
  await row.getByText(`${Number(body[0].totalBalance).toLocaleString('en-US')} ${body[0].assetCode}`).waitFor()
  await row.getByText('≈ $').waitFor()
  expect(await rowOf(page, seeded.portfolioAccount).locator('.amount').count()).toBe(0)
  const shown = await page.locator('tbody tr').count()
  expect(queries.map((query) => query.getAll('accountIds').length)).toEqual([shown])
  expect(problems).toEqual([])
  await context.close()
})

flow('amounts that come after their rows meet at the point; several assets are counted, with their worth', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  const [mixed, whole, part] = [seeded.account, seeded.otherAccount, seeded.portfolioAccount].map(String)
  const balance = (
    accountId: string | undefined,
    assetCode: string,
    totalBalance: string,
    usdValue: number | null,
  ) => ({
    customerId: seeded.customer,
    accountId,
    assetId: seeded.asset,
    assetCode,
    assetName: assetCode,
    availableBalance: totalBalance,
    frozenBalance: '0',
    totalBalance,
    usdValue,
  })
  let answer: (() => void) | undefined
  const arrived = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/balances/accounts?*', async (route) => {
    await arrived
    await route.fulfill({
      json: [
        balance(mixed, 'USDC', '5', 5),
        balance(mixed, 'GOLD', '2', null),
        balance(mixed, 'SPENT', '0.00', 0),
        balance(whole, 'USDC', '1234', 1234),
        balance(part, 'USDC', '0.125', 0.13),
      ],
    })
  })
  await page.goto('/console/accounts')
  await rowOf(page, whole).waitFor()
  answer?.()
  await rowOf(page, mixed).getByText('2 assets').waitFor()
  expect(await rowOf(page, mixed).getByText('2 assets').getAttribute('title')).toBe('5 USDC\n2 GOLD')
  await rowOf(page, mixed).getByText('≈ $5.00 + 1 without a rate').waitFor()
  await eventually(async () => {
    const points = await Promise.all(
      [whole, part].map(async (id) => {
        const box = await rowOf(page, id).locator('.amount .fraction').boundingBox()
        return Math.round(box?.x ?? 0)
      }),
    )
    expect(points[0]).toBe(points[1])
  })
  expect(problems).toEqual([])
  await context.close()
})

flow('endpoints with their figures: one request for the list', async () => {
  const hooks = stack.platform.to('webhook')
  for (const path of ['one', 'two']) {
    await hooks.create('/webhooks/endpoints', {
      participantId: seeded.participant,
      url: `http://127.0.0.1:9/${path}`,
      eventTypes: ['sanctions.hit'],
    })
  }
  const { page, problems, context } = await stack.seat(administrator)
  const queries = asked(page, '/webhooks/endpoints/figures')
  await page.goto('/console/webhooks')
  await page.getByText('nothing sent').nth(1).waitFor()
  const { body } = await hooks.get('/webhooks/endpoints')
  expect(queries.map((query) => query.getAll('ids').sort())).toEqual([body.map(({ id }: { id: string }) => id).sort()])
  expect(problems).toEqual([])
  await context.close()
})

flow('the trail says what status an act has set', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto(`/console/accounts/${seeded.otherAccount}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByLabel('Reason').fill('A court order of 9 March')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByLabel('Reason').fill('The order has ended')
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`/console/audit?object=${seeded.otherAccount}`)
  const name = (await stack.platform.to('account').get(`/accounts/${seeded.otherAccount}`)).body.name
  await page.getByText(`activated the account ${name}`).waitFor()
  await page.getByText(`suspended the account ${name}`).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
