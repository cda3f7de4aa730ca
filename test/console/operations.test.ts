// The pages of whoever is on call: health with its dead letters, the audit trail, the log's older messages, and the search.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connectBus, countDeadLetters, openDeadLetters } from '@bursar/bus'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { searchFor } from './search-for'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

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

/** How many dead letters the tracker has, once `change` is made and it has set so many more aside. */
async function lettersAfter(added: number, change: () => Promise<unknown>): Promise<number> {
  const box = await openDeadLetters({ url: stack.platform.redis.url, service: 'log-tracker' })
  try {
    const wanted = (await countDeadLetters(box)) + added
    await change()
    await until(async () => (await countDeadLetters(box)) === wanted, { what: 'the events to be set aside' })
    return wanted
  } finally {
    await box.close()
  }
}

/** Events that no service of this deployment has signed: the tracker sets them aside at once. */
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
    // Chosen where it stands: those without a problem are folded away at any read that finds another one late, or the dead
    // letters of another test.
    await page.locator('.health-services .row-open', { hasText: 'core-ledger' }).dispatchEvent('click')
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
    // At one read another one may be late.
    await page.getByText('15 of 16').waitFor()
    await look('health-away')
    await stack.platform.start('quote')
    await readAgain(page)
    await page.getByText('16 of 16').waitFor()
  })

  test('dead letters that failed alike are retried together, and the result is said', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    // Their list, and what is open in it, is made anew when one is added.
    const count = await lettersAfter(3, () => forgeEvents(3))
    await readAgain(page)
    const retry = page.getByRole('button', { name: `Retry all ${count}` })
    await retry.waitFor()
    await look('health-letters')
    // What nobody has signed is set aside again: other tests find it there.
    await lettersAfter(0, async () => {
      await retry.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
      await page
        .getByText(/dead letters are on the queue again/)
        .first()
        .waitFor()
    })
  })

  test('while the gateway is away, what was read stays, with its time', async () => {
    const { page } = desk
    await page.goto('/console/health')
    await settledPage(page)
    await page.route('**/console/api/health', (route) => route.abort())
    for (let attempts = 1; attempts <= 3; attempts++) {
      await Promise.all([page.waitForEvent('requestfailed'), readAgain(page)])
    }
    await page.locator('.note').filter({ hasText: 'As of' }).first().waitFor()
    expect(await page.locator('.health-services tbody tr').count()).toBe(16)
    await page.unroute('**/console/api/health')
    await readAgain(page)
    await page.locator('.note').filter({ hasText: 'As of' }).first().waitFor({ state: 'detached' })
  })

  test('a viewer sees dead letters and no button', async () => {
    const { page, problems, context } = await stack.seat(viewer)
    await lettersAfter(1, () => forgeEvents(1))
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
    const option = page.getByRole('option').filter({ hasText: administrator.email })
    await searchFor(page, administrator.email.slice(0, 6), option)
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
