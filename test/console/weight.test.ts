// What the heaviest pages cost with 10,000 rows behind them, by counts that no machine's speed changes: requests to the
// services until a page is shown, bytes over the wire, elements of the document, and what is asked again while it is open.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { ledgerId, seedLedger } from '../bench/ledger-seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, openConsole } from './stack'

const frozen = 100
const account = ledgerId('account', 0)
let stack: ConsoleStack

beforeAll(async () => {
  if (!hasChromium) return
  const DATA_DIR = tempDir()
  await seedLedger(DATA_DIR, { accounts: 100, deposits: 9_900, pending: frozen })
  stack = await openConsole({ DATA_DIR })
  const screeningData = { provider: 'Chainlight', score: 91, reason: 'Received from a mixer' }
  const ledger = stack.platform.to('core-ledger')
  for (let i = 0; i < frozen; i++) {
    const verdict = { id: ledgerId('pending', i), isApproved: false, screeningData }
    await ledger.post('/transactions/complete-screening', verdict)
  }
})
afterAll(() => stack?.close())

interface Weight {
  /** To the services, through the gateway. */
  requests: number
  bytes: number
  elements: number
}

/** These pages read nothing again sooner than after so long. */
const readAgainSeconds = 10

const rows = (page: Page) => page.locator('tbody tr.can-open')
const elements = (page: Page) => page.locator('*').count()

async function weightOf(path: string, shown: (page: Page) => Promise<unknown>): Promise<Weight> {
  const { page, problems, context } = await stack.seat(administrator)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const own = new Set<string>()
  /** When each was first asked for. */
  const asked = new Map<string, number>()
  let [requests, bytes] = [0, 0]
  devtools.on('Network.requestWillBeSent', ({ requestId, request: { url }, timestamp }) => {
    if (!url.startsWith(stack.url)) return
    const first = asked.get(url) ?? timestamp
    asked.set(url, first)
    // On a busy machine what is on the page already is read again before all of it is shown.
    if (timestamp - first >= readAgainSeconds) return
    own.add(requestId)
    if (url.includes('/console/api/')) requests++
  })
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(path)
  await settledPage(page)
  await shown(page)
  await page.waitForLoadState('networkidle')
  const weight = { requests, bytes, elements: await elements(page) }
  expect(problems).toEqual([])
  await context.close()
  return weight
}

/** At most so much. What is measured now is about a fifth below. */
const heaviest: [path: string, shown: (page: Page) => Promise<unknown>, most: Weight][] = [
  ['/console', (page) => page.getByText('Balances by asset').waitFor(), { requests: 4, bytes: 62_000, elements: 450 }],
  ['/console/transactions', (page) => rows(page).nth(49).waitFor(), { requests: 8, bytes: 90_000, elements: 2500 }],
  ['/console/review', (page) => rows(page).nth(49).waitFor(), { requests: 9, bytes: 92_000, elements: 2500 }],
  [
    `/console/transactions/${ledgerId('deposit', 1)}`,
    (page) => page.getByText('from beginning to end').waitFor(),
    { requests: 11, bytes: 92_000, elements: 500 },
  ],
  [
    '/console/audit',
    (page) => page.getByText('The trail is whole').waitFor(),
    { requests: 6, bytes: 84_000, elements: 450 },
  ],
]
test.skipIf(!hasChromium).each(heaviest)('%s', async (path, shown, most) => {
  const weight = await weightOf(path, shown)
  for (const what of ['requests', 'bytes', 'elements'] as const) {
    expect({ what, isWithin: weight[what] <= most[what], weight }).toEqual({ what, isWithin: true, weight })
  }
})

const toTheEnd = 'scrollTo(0, document.documentElement.scrollHeight)'

test.skipIf(!hasChromium)('a statement of 10,000 lines is shown in parts, and printed whole', async () => {
  const { page, context } = await stack.seat(administrator)
  const lines = Array.from({ length: 10_000 }, (_, i) => ({
    at: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
    kind: 'DEPOSIT',
    transactionId: ledgerId('deposit', i),
    assetId: ledgerId('asset', 0),
    assetCode: 'USDX',
    network: 'testnet',
    amount: '1',
    balance: String(i + 1),
    counterparty: null,
    reference: `Line ${i + 1}`,
    txHash: null,
  }))
  const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  await page.route('**/statement?*', (route) =>
    route.fulfill({ json: { accountId: account, from, to, lines, balances: [] } }),
  )
  await page.goto(`/console/statements?account=${account}&month=2026-01`)
  await page.getByText('Line 200', { exact: true }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(200)
  expect(await elements(page)).toBeLessThan(200 * 25)
  await page.getByText('200 of 10,000').waitFor()
  await page.evaluate(toTheEnd)
  await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(400))
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(10_000))
  await context.close()
})

test.skipIf(!hasChromium)('a list of four pages asks as often as one of a single page', async () => {
  const { page, context } = await stack.seat(administrator)
  // Its time passes by this test alone: however busy the machine is, nothing is read again before all four are there.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const passing = (holds: () => unknown) =>
    eventually(async () => {
      await page.clock.runFor(15)
      await holds()
    })
  let asked = 0
  page.on('request', (request) => {
    if (/\/core\/v1\/transactions\?/.test(request.url())) asked++
  })
  await page.goto('/console/transactions')
  for (const pages of [1, 2, 3, 4]) {
    await passing(async () => expect(await rows(page).count()).toBe(pages * 50))
    if (pages < 4) await page.evaluate(toTheEnd)
  }
  expect(asked).toBe(4)
  // All four are read again once in 80 seconds, not four times.
  for (let i = 0; i < 4; i++) await page.clock.runFor(20_000)
  await passing(() => expect(asked).toBe(8))
  await context.close()
})

test.skipIf(!hasChromium)('what arrives above a row that is looked at does not move it', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.clock.install()
  await page.goto('/console/transactions')
  await rows(page).nth(49).waitFor()
  const newest = rows(page).first().locator('a.row-open')
  const before = await newest.getAttribute('href')
  const looked = await rows(page).nth(20).locator('a.row-open').getAttribute('href')
  const row = page.locator(`a.row-open[href="${looked}"]`)
  await row.evaluate((link) => link.scrollIntoView({ block: 'center' }))
  const place = await row.boundingBox()
  await newDeposits(3)
  await page.clock.runFor(20_000)
  await eventually(async () => expect(await newest.getAttribute('href')).not.toBe(before))
  expect((await row.boundingBox())?.y).toBeCloseTo(place?.y ?? 0, 0)
  expect(problems).toEqual([])
  await context.close()
})

async function newDeposits(count: number): Promise<void> {
  const opened = { type: 'STABLECOINS', status: 'active', name: 'Arrivals' }
  const { id: accountId } = await stack.platform.to('account').create('/accounts', opened)
  for (let i = 0; i < count; i++) {
    await stack.platform.to('core-ledger').create('/transactions/deposit', {
      accountId,
      assetId: ledgerId('asset', 0),
      network: 'testnet',
      amount: '1',
      sourceAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
      txHash: `0x${String(i).padStart(64, 'd')}`,
    })
  }
}
