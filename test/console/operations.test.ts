// The pages of whoever is on call: health with its dead letters, the audit trail, the log's older messages, and the search.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connectBus } from '@bursar/bus'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import type { Page } from 'playwright-core'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

setDefaultTimeout(180_000)

let stack: ConsoleStack
let viewer: Person
let desk: Desk
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  viewer = await stack.hire('viewer', 'Vera View')
  desk = await stack.seat(administrator)
  await desk.page.clock.install()
})
afterAll(() => stack?.close())

/** Two events that no service of this deployment has signed: the tracker sets them aside at once. */
async function forgeEvents(count: number): Promise<void> {
  const { redis } = stack.platform
  const forger = connectBus({ url: redis.url, service: 'quote', log: silentLog, secret: Buffer.alloc(32, 7) })
  await forger.healthy()
  for (let n = 0; n < count; n++) {
    const { name, type } = LogRecorded
    const envelope = { id: Bun.randomUUIDv7(), name, type, requestId: null, service: 'quote', data: {} }
    await forger.publish([{ ...envelope, timestamp: new Date().toISOString() }].map(eventText))
  }
  await forger.close()
}

/** Moves the page's clock to where it reads health again; what a busy machine reads later, it reads by itself. */
const readAgain = (page: Page) => page.clock.fastForward(5000)

const look = (name: string) => keepLooks(desk, name, ['narrow-dark', 'wide'])

describe.skipIf(!hasChromium)('health', () => {
  test('sixteen services that are well, and the state of one', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    expect(await page.locator('.health-services tbody tr').count()).toBe(16)
    await page.getByText('16 of 16').waitFor()
    // Those without a problem are folded away while another one has one, such as another test's dead letters.
    const folded = page.locator('.health-well:not([open]) > summary')
    if ((await folded.count()) > 0) await folded.click()
    const ledger = page.getByRole('button', { name: 'core-ledger' })
    await ledger.click()
    await page.getByRole('heading', { name: 'core-ledger' }).waitFor()
    await look('health-well')
  })

  test('a service that is stopped is named, and so is one that comes back', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await stack.platform.stop('quote')
    await readAgain(page)
    await page.getByText('The quote service cannot be reached').first().waitFor()
    expect(await page.getByText('15 of 16').count()).toBe(1)
    await look('health-away')
    await stack.platform.start('quote')
    await readAgain(page)
    await page.getByText('16 of 16').waitFor()
  })

  test('dead letters that failed alike are retried together, and the result is said', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await forgeEvents(3)
    await readAgain(page)
    await page.getByRole('button', { name: /^Retry all \d/ }).waitFor()
    await look('health-letters')
    await page.getByRole('button', { name: /^Retry all \d/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page
      .getByText(/dead letters are on the queue again/)
      .first()
      .waitFor()
  })

  test('while the gateway is away, what was read stays, with its time', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await page.route('**/console/api/health', (route) => route.abort())
    for (let attempts = 1; attempts <= 3; attempts++) {
      await Promise.all([page.waitForEvent('requestfailed'), readAgain(page)])
    }
    await page.locator('.note').filter({ hasText: 'As of' }).first().waitFor({ timeout: 30_000 })
    expect(await page.locator('.health-services tbody tr').count()).toBe(16)
    await page.unroute('**/console/api/health')
    await readAgain(page)
    await page.locator('.note').filter({ hasText: 'As of' }).first().waitFor({ state: 'detached' })
  })

  test('a viewer sees dead letters and no button', async () => {
    const { page, problems, context } = await stack.seat(viewer)
    await forgeEvents(1)
    await page.goto('/console/health')
    await page.getByText('log-tracker.message.recorded').first().waitFor()
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })
})

describe.skipIf(!hasChromium)('the audit trail', () => {
  test('has what was done here, and says that it is whole', async () => {
    const { page } = desk
    await page.goto('/console/audit')
    await settledPage(page)
    await page.getByText('The trail is whole.').waitFor()
    await page.getByRole('button').and(page.locator('.row-open')).first().click()
    await page.getByRole('heading', { name: /Logged in|Retried a dead letter|Invited the user/ }).waitFor()
    await look('audit')
  })
})

describe.skipIf(!hasChromium)('the search', () => {
  test('finds a user by the beginning of an address, and opens what Enter chooses', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await page.keyboard.press('/')
    await page.keyboard.type(administrator.email.slice(0, 6))
    const option = page.getByRole('option').filter({ hasText: administrator.email })
    await option.waitFor()
    await look('search')
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await option.getAttribute('aria-selected')).toBe('true'))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/users**')
  })

  test('goes to pages, says what was not found, and Escape steps out of it', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await page.keyboard.press('/')
    await page.keyboard.type('zzzzzz')
    await page.getByText('Nothing has this id').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing has this id').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.type('wallets')
    await page.getByRole('option', { name: /Wallets and chains/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/chain')
    expect(desk.problems).toEqual([])
  })
})

test.skipIf(!hasChromium)('older messages of other filters begin with their own first page', async () => {
  const { page, context } = await stack.seat(viewer)
  const message = (n: number) => ({
    ...{ id: `m-${n}`, timestamp: new Date(Date.UTC(2026, 0, 1) + n).toISOString(), metadata: {} },
    ...{ service: 'quote', request_id: `r-${n}`, event_type: 'ERROR_OCCURRED', status: 'FAILURE' },
  })
  const asked: (string | null)[] = []
  await page.route('**/log-messages?*', (route) => {
    const { searchParams: query } = new URL(route.request().url())
    const isOlder = query.has('endDate')
    if (isOlder) asked.push(query.get('offset'))
    const data = Array.from({ length: 100 }, (_, n) => message(isOlder ? n : 100 + n))
    return route.fulfill({ json: { data, pagination: { total: 200, hasMore: true } } })
  })
  await page.goto('/console/log')
  for (const times of [1, 2]) {
    await page.getByText('Load older').click()
    await eventually(async () => expect(asked).toHaveLength(times))
    await page.getByLabel('Status').selectOption('PENDING')
    await settledPage(page)
  }
  expect(asked).toEqual(['0', '0'])
  await context.close()
})
