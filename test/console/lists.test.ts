// What lists tell of each of their rows, with one request for all: balances of accounts, figures of endpoints; and what an
// act of the trail has set.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { seedOf } from './seeded'
import { administrator, type ConsoleStack, openConsole } from './stack'

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

flow('the trail names transactions, payments and endpoints, those of a page with one request each', async () => {
  const hooks = stack.platform.to('webhook')
  const url = 'http://127.0.0.1:9/named'
  const endpoint = await hooks.create('/webhooks/endpoints', { participantId: seeded.participant, url, eventTypes: [] })
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto(`/console/transactions/${seeded.depositToReview}`)
  await page.getByPlaceholder('Comment for your colleagues').fill('Seen before')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Seen before').waitFor()
  await page.goto(`/console/bank/${seeded.payment}`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Question').fill('An invoice')
  await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`/console/webhooks?endpointId=${endpoint.id}`)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const ofLedger = asked(page, '/core/v1/transactions/several')
  const ofBanks = asked(page, '/transactions/v1/transactions/several')
  await page.goto('/console/audit')
  const { body: deposit } = await stack.platform.to('core-ledger').get(`/transactions/${seeded.depositToReview}`)
  const row = page.getByRole('row', { name: /commented on/ })
  await row.getByText(`commented on the deposit of ${deposit.amount} ${deposit.asset.code}`).waitFor()
  await row.locator(`a[href="/console/transactions/${deposit.id}"]`).waitFor()
  await page.getByRole('row', { name: /asked for more about the payment of 120.00 USD/ }).waitFor()
  await page.getByRole('link', { name: url }).waitFor()
  expect([ofLedger, ofBanks].map((queries) => queries.length)).toEqual([1, 1])
  expect(problems).toEqual([])
  await context.close()
})

flow('an administrator says where an institution may come from; another entry than an address is refused', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto(`/console/participants/${seeded.participant}`)
  const card = page.getByRole('region', { name: 'Allowed addresses' })
  await card.getByText('may come from any address').waitFor()
  await card.getByRole('button', { name: 'Change' }).click()
  const field = page.getByRole('dialog').getByLabel('Addresses and networks')
  await field.fill('198.51.100.7\nelsewhere')
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await page.getByRole('alert').getByText('elsewhere').waitFor()
  await field.fill('198.51.100.7\n203.0.113.0/24')
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await card.getByText('203.0.113.0/24').waitFor()
  expect(await card.getByRole('listitem').allTextContents()).toEqual(['198.51.100.7', '203.0.113.0/24'])
  await page.goto(`/console/audit?object=${seeded.participant}`)
  await page.getByText('set the allowed addresses of Harbour Bank').first().waitFor()
  await context.close()
  const viewer = await stack.seat(await stack.hire('viewer', 'Vera Lind'))
  await viewer.page.goto(`/console/participants/${seeded.participant}`)
  const seen = viewer.page.getByRole('region', { name: 'Allowed addresses' })
  await seen.getByText('203.0.113.0/24').waitFor()
  expect(await seen.getByRole('button').count()).toBe(0)
  expect([...problems, ...viewer.problems]).toEqual([])
  await viewer.context.close()
})

flow('screenings have chips for their results, and choices of networks and events instead of free text', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto('/console/sanctions')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Sanctioned' }).press('Enter')
  await page.getByText('No screening matches these filters').waitFor()
  expect(new URL(page.url()).search).toBe('?result=hit')
  expect(await page.getByLabel('Result').inputValue()).toBe('hit')
  await page.goto('/console/chain?view=wallets')
  await page.getByLabel('Network').selectOption('polygon')
  await page.getByRole('table', { name: 'Wallets' }).getByText('polygon').first().waitFor()
  await page.getByLabel('Network').selectOption('solana')
  await page.getByText('No wallet matches these filters').waitFor()
  await page.goto('/console/webhooks?tab=deliveries')
  await page.getByLabel('Event').selectOption('sanctions.completed')
  await page.getByRole('table', { name: 'Deliveries' }).getByText('sanctions.completed').first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

/** What an observer of the page sees of the foot of a list, this one sees after it. */
const footIsSeen = `new Promise((done) => new IntersectionObserver((_, observer) => {
  observer.disconnect()
  done()
}).observe(document.querySelector('.table-foot')))`

flow('a list with something below it goes on by its button alone', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.setViewportSize({ width: 390, height: 844 })
  let pages = 0
  await page.route('**/movements?*', async (route) => {
    pages++
    const json = Array.from({ length: 50 }, (_, i) => ({
      id: `${pages} ${i}`,
      kind: 'in',
      amount: '1',
      assetCode: 'USDC',
      confirmedAt: '2026-01-31T12:00:00.000Z',
    }))
    await route.fulfill({ json })
  })
  await page.goto(`/console/accounts/${seeded.portfolioAccount}`)
  const rows = page.getByRole('table', { name: 'Movements on chain' }).locator('tbody tr')
  await rows.nth(49).waitFor()
  await page.locator('.table-foot').scrollIntoViewIfNeeded()
  await page.evaluate(footIsSeen)
  expect(pages).toBe(1)
  await page.getByRole('button', { name: 'Load more' }).click()
  await rows.nth(99).waitFor()
  expect(pages).toBe(2)
  expect(problems).toEqual([])
  await context.close()
})
