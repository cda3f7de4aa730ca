// A day of an institution's people, from the invitation to the statement: by the console alone, clicked and typed.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inOrder, type LocalServer, localServer, until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import type { Made } from '../../scripts/demo/story'
import { storyOf } from '../e2e/story'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let made: Made
let receiver: LocalServer
let admin: Desk
let operator: Desk
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  ;({ made } = await storyOf(stack.url, stack.platform.env))
  receiver = localServer(() => new Response('taken'))
  const participantId = made.participant
  const people = [
    stack.hire('participant-admin', 'Ada Lakeside', { participantId }),
    stack.hire('operator', 'Olga Reuter'),
  ] as const
  ;[admin, operator] = await Promise.all(
    people.map(async (person) => stack.seat(await person)) as [Promise<Desk>, Promise<Desk>],
  )
})
afterAll(async () => {
  await stack?.close()
  await receiver?.stop()
})

const steps = hasChromium ? inOrder : (title: string) => test.skip(title, () => {})
const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'middle', 'wide'])
const dialog = (page: Page) => page.getByRole('dialog')
const ledger = () => stack.platform.to('core-ledger')
const email = 'ines@lakeside.example'
const password = 'nine calm otters by the lock'
/** Nobody's address here, and on no list. */
const outside = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

steps('an institution’s people', (step) => {
  let desk: Desk
  let page: Page
  let payment: string

  step('its administrator invites a colleague', async () => {
    await admin.page.goto('/console/users')
    await admin.page.getByRole('button', { name: 'Invite a user' }).press('Enter')
    await dialog(admin.page).getByLabel('Name').fill('Ines Lakeside')
    await dialog(admin.page).getByLabel('E-mail').fill(email)
    await dialog(admin.page).getByLabel('Role').selectOption({ label: 'Participant admin' })
    await keep(admin, 'invite-colleague')
    await dialog(admin.page).getByRole('button', { name: 'Invite' }).click()
    await admin.page.getByRole('button', { name: /Ines Lakeside/ }).waitFor()
  })

  step('who comes in by the mail, and sees what the customers hold', async () => {
    const token = await invitationTokenOf(stack.platform.env.DATA_DIR ?? stack.platform.dataDir, email)
    desk = await stack.empty()
    page = desk.page
    await page.goto(`/change-password#${token}`)
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('The same again').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'open the console' }).press('Enter')
    await page.waitForLoadState()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Lakeside Payments/ }).waitFor()
    await page.getByRole('region', { name: 'Held for your customers' }).getByText('USDC').first().waitFor()
  })

  step('orders a payment; what is missing is said, and nothing is sent', async () => {
    await page.getByRole('button', { name: 'New payment' }).press('Enter')
    await dialog(page).getByLabel('Asset').waitFor()
    await dialog(page).getByRole('button', { name: 'Order the payment' }).click()
    await dialog(page).getByText('This is needed.').first().waitFor()
    await keep(desk, 'new-payment')
    await dialog(page).getByLabel('From the account').selectOption({ label: 'Treasury' })
    await dialog(page).getByLabel('Asset').waitFor()
    await dialog(page).getByLabel('Amount').fill('twelve')
    await dialog(page).getByRole('button', { name: 'Order the payment' }).click()
    await dialog(page).getByText('Write a number such as 1250.50.').waitFor()
    await dialog(page).getByLabel('Amount').fill('12.5')
    await dialog(page).getByLabel('To the address').fill(outside)
    await dialog(page).getByLabel('Reference').fill('Invoice 7781')
    await dialog(page).getByRole('button', { name: 'Order the payment' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Withdrawal of 12.5 USDC/ }).waitFor()
    payment = page.url().split('/').at(-1) ?? ''
    const { body } = await ledger().get(`/transactions/${payment}`)
    expect(body).toMatchObject({
      accountId: made.account,
      amount: '12.5',
      destinationAddress: outside,
      reference: 'Invoice 7781',
      type: 'WITHDRAWAL',
    })
    await settledPage(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  step('it is screened, set aside, and approved by an operator', async () => {
    const verdict = { id: payment, isApproved: false, screeningData: { reason: 'A new counterparty' } }
    await ledger().post('/transactions/complete-screening', verdict)
    const staff = operator.page
    await staff.goto(`/console/review?id=${payment}`)
    await settledPage(staff)
    await staff.keyboard.press('a')
    await dialog(staff).getByRole('textbox').fill('The invoice was seen')
    await dialog(staff).getByRole('button', { name: 'Approve' }).click()
    await dialog(staff).waitFor({ state: 'detached' })
    await until(async () => (await ledger().get(`/transactions/${payment}`)).body.status === 'COMPLETED', {
      what: 'the withdrawal to be paid',
    })
    await page.goto('/console')
    const row = page.getByRole('table', { name: 'Latest payments' }).locator('tbody tr', { hasText: '12.5 USDC' })
    await row.getByText('Completed').waitFor()
  })

  step('pays another institution from a bank account', async () => {
    await page.getByRole('button', { name: 'New payment' }).press('Enter')
    await dialog(page).getByLabel('What is paid').selectOption({ label: 'Bank money to another institution' })
    const parties = dialog(page).getByLabel('To the institution')
    const hillside = await parties.locator('option', { hasText: 'Hillside Bank' }).getAttribute('value')
    await parties.selectOption(hillside)
    await dialog(page).getByLabel('Amount').fill('3.25')
    await keep(desk, 'new-bank-payment')
    await dialog(page).getByRole('button', { name: 'Order the payment' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Transfer of 3.25 USD' }).waitFor()
    const { body } = await stack.platform.to('transaction-manager').get(`/transactions/${page.url().split('/').at(-1)}`)
    expect(body.data).toMatchObject({ amount: '3.25', from: { participantId: made.participant } })
  })

  step('makes a key, and an endpoint, and sees a test event arrive', async () => {
    await page.goto('/console/keys')
    await page.getByRole('button', { name: 'Issue a key' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Issue' }).click()
    const key = (await dialog(page).locator('code').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const asked = await fetch(`${stack.url}/core/v1/assets`, { headers: { 'x-api-key': key } })
    expect(asked.status).toBe(200)
    await page.goto('/console/webhooks')
    await page.getByRole('button', { name: 'Register an endpoint' }).press('Enter')
    await dialog(page).getByLabel('URL').fill(`${receiver.url}/hooks`)
    await dialog(page).getByRole('button', { name: 'Register' }).click()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('link', { name: `${receiver.url}/hooks` }).click()
    await page.getByRole('button', { name: 'Test' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Send' }).click()
    const arrived = await until(() => receiver.requests.find(({ body }) => body.includes('webhook.test')))
    expect(arrived.headers.get('webhook-signature')).toStartWith('v1,')
    await page.locator('.page-line').getByText('Delivered').waitFor()
  })

  step('reads the statement of the month, prints it, and takes it along', async () => {
    await page.goto('/console')
    await page.getByRole('link', { name: 'Statements' }).press('Enter')
    await page.getByRole('search').getByLabel('Account').selectOption({ label: 'Treasury' })
    // Another month may have begun since it was paid.
    const { body: paid } = await ledger().get(`/transactions/${payment}`)
    await page.getByRole('search').getByLabel('Month').selectOption(paid.updatedAt.slice(0, 7))
    const changes = page.getByRole('table', { name: 'Changes, oldest first' })
    const line = changes.getByRole('row', { name: /Invoice 7781/ })
    await line.getByText('−12.5').waitFor()
    await settledPage(page)
    const { body } = await ledger().get(`/balances/account/${made.account}`)
    const held = body.find(({ assetCode }: { assetCode: string }) => assetCode === 'USDC')
    const closing = page
      .getByRole('table', { name: 'Balances at both ends' })
      .getByRole('row', { name: /USDC/ })
      .locator('td')
      .last()
    await eventually(async () =>
      expect((await closing.textContent())?.replaceAll(',', '')).toContain(held.totalBalance),
    )
    await keep(desk, 'statement')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await (await saved).path()
    const rows = (await Bun.file(file).text()).trimEnd().split('\r\n')
    expect(rows.find((row) => row.includes('Invoice 7781'))).toMatch(
      new RegExp(`,WITHDRAWAL,${payment},USDC,\\w+,-12.5,`),
    )
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    expect(await line.isVisible()).toBe(true)
    expect(desk.problems).toEqual([])
  })

  step('is disabled by the administrator, and is out', async () => {
    await page.emulateMedia({ media: 'screen' })
    const { page: office } = admin
    await office.goto('/console/users')
    await office.getByRole('button', { name: /Ines Lakeside/ }).click()
    await office.getByRole('button', { name: 'Disable' }).press('Enter')
    await dialog(office).getByRole('button', { name: 'Disable' }).click()
    await dialog(office).waitFor({ state: 'detached' })
    await until(
      async () => {
        await page.goto('/console')
        return await page.getByRole('heading', { name: 'Log in' }).isVisible()
      },
      { what: 'the session to end' },
    )
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
  })
})
