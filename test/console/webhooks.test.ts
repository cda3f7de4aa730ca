// Webhooks of an institution, by its own people and by operators: which events go where, a test that arrives at a real
// receiver, what was sent and how it was signed, failures sent again, new secrets.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { inOrder, type LocalServer, localServer, until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { violationsOf } from './axe'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let receiver: LocalServer
let isBroken = false
let participantId: string
let ada: Person
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ WEBHOOK_RETRY_SCHEDULE: '50ms' })
  receiver = localServer(() => new Response(isBroken ? 'down for repairs' : 'taken', { status: isBroken ? 502 : 200 }))
  participantId = await institution('Fjord Pay')
  ada = await stack.hire('participant-admin', 'Ada Fjord', { participantId })
})
afterAll(async () => {
  await stack?.close()
  await receiver?.stop()
})

/** A registered institution; its id. */
const institution = async (name: string): Promise<string> =>
  (
    await stack.platform.to('main-api').create('/participants', {
      name,
      email: `${name.replaceAll(' ', '.').toLowerCase()}@bank.example`,
      country: 'NO',
      businessType: 'BANK',
      registrationNumber: '923609016',
      address: { street: 'Havnegata 7', city: 'Bergen', zipCode: '5003', country: 'NO' },
    })
  ).id

const flow = test.skipIf(!hasChromium)
const steps = hasChromium ? inOrder : (title: string) => test.skip(title, () => {})
const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'middle', 'wide'])
const dialog = (page: Page) => page.getByRole('dialog')
const hooks = () => stack.platform.to('webhook')

/** What has come to the endpoint of the first institution. */
const arrivals = () => receiver.requests.filter(({ path }) => path === '/hooks')

/** What the receiver's last request must have as its signature by this secret (Standard Webhooks). */
const signedBy = (secret: string, { headers, body }: LocalServer['requests'][number]) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`)
    .digest('base64')}`

/** The secret before the reader, who then has kept it: it is not shown again. */
async function keptSecret(page: Page): Promise<string> {
  const secret =
    (await dialog(page)
      .getByText(/^whsec_/)
      .textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  return secret
}

steps('an institution’s administrator', (step) => {
  let desk: Desk
  let page: Page
  let secret: string

  step('reads which events there are', async () => {
    desk = await stack.seat(ada)
    page = desk.page
    await page.goto('/console/webhooks')
    await page.getByText('No endpoint is registered').waitFor()
    await page.getByRole('button', { name: 'Events' }).press('Enter')
    await page.getByText('payment.executed', { exact: true }).waitFor()
    expect(await page.getByText('webhook.test', { exact: true }).count()).toBe(0)
    // The endpoints are read beside the events: one or the other comes first.
    await page.getByText('No endpoint takes it.').first().waitFor()
    expect(await page.getByText('No endpoint takes it.').count()).toBe(10)
    await keep(desk, 'webhook-events')
  })

  step('registers an endpoint for some of them; nothing is sent while none is chosen', async () => {
    await page.getByRole('button', { name: 'Endpoints' }).click()
    await page.getByRole('button', { name: 'Register an endpoint' }).press('Enter')
    await dialog(page).getByLabel('URL').fill(`${receiver.url}/hooks`)
    await dialog(page).getByLabel('Only these').check()
    await dialog(page).getByLabel('message.created').waitFor()
    await dialog(page).getByRole('button', { name: 'Register' }).click()
    await dialog(page).getByText('Choose at least one.').waitFor()
    await keep(desk, 'webhook-register')
    expect((await hooks().get(`/webhooks/endpoints?participantId=${participantId}`)).body).toEqual([])
    await dialog(page).getByLabel('message.created').check()
    await dialog(page).getByLabel('sanctions.hit').check()
    await dialog(page).getByRole('button', { name: 'Register' }).click()
    secret = await keptSecret(page)
    expect((await hooks().get(`/webhooks/endpoints?participantId=${participantId}`)).body).toMatchObject([
      { participantId, eventTypes: ['message.created', 'sanctions.hit'], status: 'active' },
    ])
  })

  step('sends a test, which arrives; the attempt has its body and its signature', async () => {
    await page.getByRole('link', { name: `${receiver.url}/hooks` }).click()
    await page.getByRole('button', { name: 'Test' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { level: 1, name: 'Delivery of webhook.test' }).waitFor()
    const arrived = await until(() => arrivals()[0], { what: 'the test event to arrive' })
    expect(JSON.parse(arrived.body)).toMatchObject({ type: 'webhook.test', data: { participantId } })
    expect(arrived.headers.get('webhook-signature')).toBe(signedBy(secret, arrived))
    await page.getByText('taken', { exact: true }).waitFor()
    await page.getByText('Request, with its signature').press('Enter')
    const text = (await page.locator('.attempt pre').first().textContent()) ?? ''
    expect(text).toStartWith('POST /hooks HTTP/1.1\n')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(text).toContain(`\n${name}: ${arrived.headers.get(name)}\n`)
    expect(text).toEndWith(`\n\n${arrived.body}`)
    await keep(desk, 'webhook-attempt')
  })

  step('sees a delivery fail, and sends it again by keyboard', async () => {
    isBroken = true
    const { id } = await stack.platform.to('message').create('/messages', {
      type: 'TEXT',
      participantId,
      data: { text: 'Hello' },
    })
    await until(async () => (await hooks().get(`/webhooks/delivery/status/${id}`)).body.status === 'failed')
    await page.goto('/console/webhooks?tab=deliveries&status=failed')
    await page
      .getByRole('link', { name: 'message.created' })
      .or(page.locator('.row-open').first())
      .first()
      .press('Enter')
    await page.getByText('The receiver answered 502').first().waitFor()
    isBroken = false
    const before = arrivals().length
    await page.keyboard.press('r')
    await dialog(page).getByRole('button', { name: 'Send again' }).press('Enter')
    await page.getByText('The delivery is sent again').first().waitFor()
    const again = await until(() => arrivals()[before], { what: 'the delivery to arrive' })
    expect(again.headers.get('webhook-id')).toBe(arrivals()[before - 1]?.headers.get('webhook-id') ?? '-')
    await page.locator('.page-line').getByText('Delivered').waitFor()
    await page.locator('.attempt').nth(2).waitFor()
  })

  step('changes its events: one that takes none but tests is not shown as active', async () => {
    const { id } = (await hooks().get(`/webhooks/endpoints?participantId=${participantId}`)).body[0]
    await page.goto(`/console/webhooks?endpointId=${id}`)
    await page.locator('.page-line').getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    expect(await dialog(page).getByLabel('sanctions.hit').isChecked()).toBe(true)
    await dialog(page).getByLabel('sanctions.hit').uncheck()
    await keep(desk, 'webhook-change')
    await dialog(page).getByRole('button', { name: 'Change' }).click()
    await page.getByText('The endpoint is changed').first().waitFor()
    expect((await hooks().get(`/webhooks/endpoints/${id}`)).body.eventTypes).toEqual(['message.created'])
    await hooks().put(`/webhooks/endpoints/${id}`, { eventTypes: ['webhook.test'] })
    await page.reload()
    await page.getByText('nothing but tests is sent to it').waitFor()
    await page.locator('.page-line').getByText('Takes no event').waitFor()
    expect(await page.locator('.page-line').getByText('Active').count()).toBe(0)
    await settledPage(page)
    await keep(desk, 'webhook-idle')
    await page.goto('/console/webhooks')
    await page.getByRole('cell', { name: 'Takes no event' }).waitFor()
    await page.goto('/console')
    await page.getByText('1 takes no event').waitFor()
    await hooks().put(`/webhooks/endpoints/${id}`, { eventTypes: ['message.*'] })
    await page.goto(`/console/webhooks?endpointId=${id}`)
    await page.getByText('That is: message.created.').waitFor()
  })

  step('gets a new secret, shown once; both sign for a day', async () => {
    await page.getByRole('button', { name: 'New secret' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'New secret' }).click()
    const next = await keptSecret(page)
    const before = arrivals().length
    await page.getByRole('button', { name: 'Test' }).click()
    await dialog(page).getByRole('button', { name: 'Send' }).click()
    const arrived = await until(() => arrivals()[before], { what: 'the test event to arrive' })
    expect(arrived.headers.get('webhook-signature')).toBe(`${signedBy(next, arrived)} ${signedBy(secret, arrived)}`)
  })

  step('deletes it', async () => {
    await page.goto('/console/webhooks')
    await page.getByRole('link', { name: `${receiver.url}/hooks` }).click()
    await page.getByRole('button', { name: 'Other acts' }).press('Enter')
    await page.getByRole('button', { name: 'Delete' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoint is registered').waitFor()
    expect((await hooks().get(`/webhooks/endpoints?participantId=${participantId}`)).body).toEqual([])
    expect(desk.problems).toEqual([])
    await desk.context.close()
  })
})

flow('its other people test and send again, and change nothing; operators see whose an endpoint is', async () => {
  const own = { participantId: await institution('Glacier Pay') }
  const { id } = await hooks().create('/webhooks/endpoints', { ...own, url: `${receiver.url}/others` })
  const user = await stack.seat(await stack.hire('participant-user', 'Ulf Glacier', own))
  await user.page.goto(`/console/webhooks?endpointId=${id}`)
  await settledPage(user.page)
  const acts = user.page.locator('.page-actions').getByRole('button')
  expect(await acts.allTextContents()).toEqual(['Recover', 'Test'])
  await acts.last().click()
  await dialog(user.page).getByRole('button', { name: 'Send' }).click()
  await user.page.locator('.page-line').getByText('Delivered').waitFor()
  await user.page.getByRole('button', { name: 'Send again' }).waitFor()
  expect(user.problems).toEqual([])
  const operator = await stack.seat(await stack.hire('operator', 'Olga Reuter'))
  const { page } = operator
  await page.goto('/console/webhooks')
  await page
    .getByRole('row', { name: /others/ })
    .getByRole('link', { name: 'Glacier Pay' })
    .waitFor()
  await eventually(async () => expect(await page.locator('.bone').count()).toBe(0))
  await keep(operator, 'webhooks-staff')
  await user.context.close()
  await operator.context.close()
})

flow('an administrator registers an endpoint for an institution; its secret is shown once', async () => {
  await institution('Hook Pay')
  const { page, problems, context } = await stack.seat(administrator)
  await page.goto('/console/webhooks')
  await page.getByRole('button', { name: 'Register an endpoint' }).click()
  await dialog(page).getByLabel('Institution').selectOption({ label: 'Hook Pay' })
  expect(await violationsOf(page)).toEqual([])
  await dialog(page).getByLabel('URL').fill(`${receiver.url}/registered`)
  await dialog(page).getByLabel('Only these').check()
  for (const type of ['sanctions.completed', 'sanctions.failed']) await dialog(page).getByLabel(type).check()
  await dialog(page).getByRole('button', { name: 'Register' }).click()
  await keptSecret(page)
  expect(await page.getByText(/whsec_/).count()).toBe(0)
  const row = page.getByRole('row', { name: /registered/ })
  await row.getByRole('link', { name: 'Hook Pay' }).waitFor()
  await row.getByText('and 1 more').waitFor()
  expect(problems).toEqual([])
  await context.close()
})
