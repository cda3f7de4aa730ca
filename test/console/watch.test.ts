// The log as it happens, webhooks that fail and are recovered, and screenings: what operators watch all day.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serviceConfig } from '@bursar/http'
import { type LocalServer, localServer, until } from '@bursar/testing'
import type { Page, Request } from 'playwright-core'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, openConsole, type Person } from './stack'

let stack: ConsoleStack
let viewer: Person
let urls: ReturnType<typeof serviceConfig>['urls']
let receiver: LocalServer
let isBroken = true
const participantId = '018f2f3e-0000-7000-8000-0000000000aa'

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ WEBHOOK_RETRY_SCHEDULE: '50ms' })
  viewer = await stack.hire('viewer', 'Vera Viewer')
  urls = serviceConfig(stack.platform.env, 'quote').urls
  receiver = localServer(() => (isBroken ? new Response('upstream is away', { status: 502 }) : new Response('taken')))
})
afterAll(async () => {
  await stack?.close()
  await receiver?.stop()
})

/** Writes as another service does. */
async function post<T = unknown>(service: keyof typeof urls, path: string, body: object = {}): Promise<T> {
  const answer = await fetch(`${urls[service]}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const deliveriesOf = async (endpointId: string): Promise<{ status: string }[]> =>
  (await stack.platform.to('webhook').get(`/webhooks/endpoints/${endpointId}/deliveries`)).body.deliveries

/** A message of the log; its request's id. One that the queue does not take in time is refused, and discarded: 503. */
async function happen(): Promise<string> {
  const add = () => post<{ test_data: { request_id: string } }>('log-tracker', '/log-messages/test-add-log-message')
  return (await until(add, { what: 'the queue to take a message' })).test_data.request_id
}
const rowOf = (page: Page, requestId: string) =>
  page.locator('.log-row', { has: page.locator(`[title="${requestId}"]`) })
const state = (page: Page, words: string | RegExp) => page.locator('.live', { hasText: words }).waitFor()

/** The log of what these tests let happen alone: services write of their health, too, whenever it changes. */
async function openLog() {
  const desk = await stack.seat(administrator)
  await desk.page.goto('/console/log?service=log-tracker&type=VALUATION_PROCESSED')
  await settledPage(desk.page)
  return desk
}

/** Holds the answer to the read of this number, which is as of when it was asked. */
async function heldRead(page: Page, number: number) {
  const [asked, released] = [Promise.withResolvers<Request>(), Promise.withResolvers<void>()]
  let reads = 0
  await page.route('**/log-messages?*', async (route) => {
    if (++reads !== number) return await route.continue()
    const request = route.request()
    const response = await route.fetch({ headers: { ...request.headers(), 'sec-fetch-site': 'same-origin' } })
    asked.resolve(request)
    await released.promise
    await route.fulfill({ response })
  })
  const release = async () => {
    const held = await asked.promise
    // Others may be under way: of the filters that were set since.
    const arrived = page.waitForResponse((response) => response.request() === held)
    released.resolve()
    await (await arrived).finished()
  }
  return { asked: asked.promise, release }
}

describe.skipIf(!hasChromium)('the activity log', () => {
  test('shows what happens; a pause holds it back; it leads to all of a request', async () => {
    const { page, problems, context } = await openLog()
    await state(page, 'Live')
    const first = await happen()
    await rowOf(page, first).waitFor()
    await page.keyboard.press('p')
    const second = await happen()
    await state(page, 'Paused, 1 new')
    expect(await rowOf(page, second).count()).toBe(0)
    await page.keyboard.press('p')
    await rowOf(page, second).waitFor()
    await rowOf(page, first).locator('.row-open').click()
    await page.getByRole('dialog').getByText('All of this request').click()
    await page.waitForURL(/requestId=/)
    await settledPage(page)
    await rowOf(page, second).waitFor({ state: 'detached' })
    await rowOf(page, first).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('a stream that was lost says so, and brings what was missed, once', async () => {
    const { page, context } = await openLog()
    await state(page, 'Live')
    await rowOf(page, await happen()).waitFor()
    await stack.platform.stop('log-tracker')
    await state(page, 'Reconnecting')
    await page.getByText('the stream is lost').waitFor()
    await stack.platform.start('log-tracker')
    const missed = await happen()
    await state(page, 'Live')
    await rowOf(page, missed).waitFor()
    expect(await rowOf(page, missed).count()).toBe(1)
    await context.close()
  })

  test('what comes between the first read and the stream is shown', async () => {
    const { page, context } = await stack.seat(administrator)
    const first = await heldRead(page, 1)
    const stream = Promise.withResolvers<void>()
    await page.route('**/log-messages/stream*', async (route) => {
      await stream.promise
      await route.continue()
    })
    await page.goto('/console/log?rates=show')
    await first.asked
    const between = await happen()
    const stored = async () =>
      (await stack.platform.to('log-tracker').get(`/log-messages?requestId=${between}`)).body.data.length > 0
    await until(stored, { what: 'the message to be stored' })
    stream.resolve()
    await state(page, 'Live')
    await first.release()
    await rowOf(page, between).waitFor()
    await context.close()
  })

  test('a late answer about earlier filters is not shown', async () => {
    const { page, context } = await stack.seat(administrator)
    const id = await happen()
    // It is read again when the stream is open.
    const second = await heldRead(page, 2)
    await page.goto('/console/log?rates=show')
    await second.asked
    await rowOf(page, id).waitFor()
    await page.getByLabel('Status').selectOption('PENDING')
    await settledPage(page)
    await second.release()
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
    expect(await rowOf(page, id).count()).toBe(0)
    await context.close()
  })

  test('a gap that is too large is said', async () => {
    const { page, context } = await stack.seat(administrator)
    await page.route('**/log-messages/stream*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: gap\ndata: {"reason":"too many"}\n\n' }),
    )
    await page.goto('/console/log')
    await page.getByText('messages are missing here').waitFor()
    await context.close()
  })

  test('ten thousand messages are a few rows of the document; they are walked by keys', async () => {
    const { page, context } = await stack.seat(administrator)
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n).toISOString()
    const events = Array.from({ length: 10_050 }, (_, n) => {
      const rest = { service: 'quote', request_id: `r-${n}`, event_type: 'ERROR_OCCURRED', status: 'FAILURE' }
      return `id: m-${n}\ndata: ${JSON.stringify({ id: `m-${n}`, timestamp: at(n), metadata: {}, ...rest })}\n\n`
    })
    await page.route('**/log-messages/stream*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: events.join('') }),
    )
    await page.route('**/log-messages?*', (route) =>
      route.fulfill({ json: { data: [], pagination: { total: 0, offset: 0, limit: 100, hasMore: false } } }),
    )
    await page.goto('/console/log')
    await page.getByText('10,000 shown').waitFor()
    expect(await page.locator('.log-row').count()).toBeLessThan(100)
    const newest = page.locator('.log-row').first()
    await eventually(async () => expect(await newest.getAttribute('data-id')).toBe('m-10049'))
    const chosen = () => page.evaluate(`document.activeElement.closest('.log-row')?.dataset.id`)
    for (let row = 10_049; row >= 9990; row--) {
      await page.keyboard.press('j')
      await eventually(async () => expect(await chosen()).toBe(`m-${row}`))
    }
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('[data-id="m-50"]').waitFor()
    expect(await page.locator('.log-row').count()).toBeLessThan(100)
    await context.close()
  })
})

test.skipIf(!hasChromium)('the services’ starts are one line of the log, which opens', async () => {
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto('/console/log?type=SERVICE_STARTED')
  await settledPage(page)
  const lines = page.locator('.log-row')
  await lines
    .first()
    .getByText(/^\d+ services$/)
    .waitFor()
  const before = await lines.count()
  await lines.first().locator('.row-open').focus()
  await page.keyboard.press('Enter')
  await eventually(async () => expect(await lines.count()).toBeGreaterThan(before))
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})

describe.skipIf(!hasChromium)('webhooks', () => {
  test('an endpoint that failed is recovered; a delivery shows what the receiver answered', async () => {
    isBroken = true
    const { id } = await post<{ id: string }>('webhook', '/webhooks/endpoints', {
      participantId,
      url: `${receiver.url}/hooks`,
    })
    await post('message', '/messages', { type: 'TEXT', participantId, data: { text: 'Hello' } })
    // After its retry too: before that there is nothing to recover.
    await until(async () => (await deliveriesOf(id)).some(({ status }) => status === 'failed'))
    const { page, problems, context } = await stack.seat(administrator)
    await page.goto('/console/webhooks')
    await settledPage(page)
    await page.getByRole('link', { name: `${receiver.url}/hooks` }).click()
    await page.getByRole('cell', { name: 'The receiver answered 502' }).waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Recover' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click()
    await page.getByText('1 delivery sent again').first().waitFor()
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor()
    await page.getByRole('table', { name: 'Deliveries' }).locator('.row-open').first().click()
    await page.getByText('upstream is away').first().waitFor()
    await page.getByText('taken', { exact: true }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The delivery is sent again').first().waitFor()
    await page.goto(`/console/webhooks?endpointId=${id}`)
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    expect(await page.getByText(/whsec_/).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })

  test('a viewer is shown no acts', async () => {
    const { id } = await post<{ id: string }>('webhook', '/webhooks/endpoints', {
      participantId,
      url: `${receiver.url}/other`,
    })
    const { page, context } = await stack.seat(viewer)
    await page.goto(`/console/webhooks?endpointId=${id}`)
    await settledPage(page)
    await page.getByText(`${receiver.url}/other`).waitFor()
    expect(await page.getByRole('button', { name: /Recover|Test|New secret/ }).count()).toBe(0)
    await context.close()
  })
})

describe.skipIf(!hasChromium)('sanctions', () => {
  const listed = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'

  test('an old list is said; an address is checked by hand; a screening shows its evidence', async () => {
    await post('sanctions', '/sanctions/verify-address', {
      externalId: 'payment-1',
      address: listed,
      blockchain: 'ethereum',
    })
    const { page, problems, context } = await stack.seat(administrator)
    await page.goto('/console/sanctions')
    await page.getByText('bun run sanctions:update').waitFor()
    await page.locator('.check input[name=address]').fill(listed)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.locator('.check-result').getByText('Sanctioned').waitFor()
    await page.locator('.check-result').getByText('OFAC SDN list').waitFor()
    const screenings = page.getByRole('table', { name: 'Screenings' })
    await screenings.getByText('Sanctioned').waitFor()
    await screenings.locator('.row-open').first().click()
    await page.waitForURL(/job=/)
    await page.getByText('version 2024-09-27').waitFor()
    await page.getByText('payment-1').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
})
