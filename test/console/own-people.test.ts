// The people of institutions and custodian banks have a console of their own. Everything by what is on the screen.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { storyOf } from '../e2e/story'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let institutionId: string
/** Of the story, from this institution to another one. */
let transferId: string
let admin: Person
let user: Person
let bankAdmin: Person
let bankUser: Person
beforeAll(async () => {
  if (!hasChromium) return
  // The gateway holds console sessions to the table of routes and roles, whatever AUTHORIZATION says.
  stack = await openConsole()
  const { made } = await storyOf(stack.url, stack.platform.env)
  institutionId = made.participant
  transferId = made.transfer
  const participantId = institutionId
  const { id: participantBankId, custodianBankId: custodianId } = await bankAccountOf(participantId)
  await wireIn(participantBankId)
  ;[admin, user, bankAdmin, bankUser] = await Promise.all([
    stack.hire('participant-admin', 'Ada Lakeside', { participantId }),
    stack.hire('participant-user', 'Ulf Lakeside', { participantId }),
    stack.hire('custodian-admin', 'Cora Summit', { custodianId }),
    stack.hire('custodian-user', 'Karl Summit', { custodianId }),
  ])
})
afterAll(() => stack?.close())

async function bankAccountOf(participantId: string): Promise<{ id: string; custodianBankId: string }> {
  const { body } = await stack.platform.to('main-api').get(`/participants/${participantId}/accounts`)
  return body.data[0]
}

/** Money from outside arrives at a bank account. */
async function wireIn(participantBankId: string): Promise<void> {
  const payments = stack.platform.to('transaction-manager')
  await payments.create('/deposit', { participantBankId, amount: '120.25', currency: 'USD', reference: 'wire-1' })
  await payments.put('/deposit/wire-1', { status: 'COMPLETED' })
  await stack.platform.settle()
}

const flow = test.skipIf(!hasChromium)

const keep = async (desk: Desk, name: string) => {
  await settledPage(desk.page)
  await keepLooks(desk, name, ['narrow-dark', 'middle', 'wide'])
}

/** Opens every page of the navigation; none may show a refusal. `whose`: each is looked at. */
async function walk(desk: Desk, expected: readonly string[], whose?: string): Promise<void> {
  const { page } = desk
  await page.goto('/console')
  await settledPage(page)
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  expect(await links.allTextContents()).toEqual([...expected])
  const heading = page.getByRole('heading', { level: 1 })
  for (const [i, name] of expected.entries()) {
    const before = await heading.textContent()
    await links.filter({ hasText: name }).first().click()
    // The page before stays until the script of this one is here; on the first one the walk begins.
    if (i > 0) await eventually(async () => expect(await heading.textContent()).not.toBe(before))
    await settledPage(page)
    expect([name, await page.getByRole('alert').allTextContents()]).toEqual([name, []])
    if (whose) await keep(desk, `${whose}-${name.toLowerCase().replaceAll(' ', '-')}`)
  }
  expect(desk.problems).toEqual([])
}

flow('an institution’s administrator: every page answers, and the home shows balances and payments', async () => {
  const desk = await stack.seat(admin)
  const { page } = desk
  await walk(
    desk,
    [
      'Home',
      'Transactions',
      'Accounts',
      'Customers',
      'Statements',
      'Webhooks',
      'Your institution',
      'API keys',
      'Users',
    ],
    'institution',
  )
  await page.goto('/console')
  await page.getByRole('heading', { level: 1, name: /^Lakeside Payments/ }).waitFor()
  await page.getByRole('region', { name: 'Held, end of day' }).getByText('≈ $750').waitFor()
  const payments = page.getByRole('region', { name: 'Latest payments' })
  await payments.getByRole('link', { name: 'Deposit' }).first().waitFor()
  await page.getByRole('region', { name: 'Held for your customers' }).getByText('USDC').first().waitFor()
  await payments.getByRole('link', { name: 'Deposit' }).first().press('Enter')
  await page.getByRole('heading', { level: 1, name: /Deposit/ }).waitFor()
  await page.goBack()
  // Bank money has its own page.
  await payments.getByRole('row', { name: /USD / }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /USD$/ }).waitFor()
  await keep(desk, 'institution-payment')
  await desk.context.close()
})

flow('an institution takes its own transfer back while it waits, and has no other say in it', async () => {
  const payments = stack.platform.to('transaction-manager')
  const { from, to } = (await payments.get(`/transactions/${transferId}`)).body.data
  const sides = { fromParticipantBankId: from.participantBankId, toParticipantBankId: to.participantBankId }
  const { data } = await payments.create('/transfer', {
    ...sides,
    amount: '7',
    currency: 'USD',
    reference: 'too early',
  })
  const desk = await stack.seat(user)
  const { page } = desk
  await page.goto(`/console/bank/${data.id}`)
  const acts = page.locator('.page-actions').getByRole('button')
  await acts.first().waitFor()
  expect(await acts.allTextContents()).toEqual(['Cancel payment'])
  await acts.press('Enter')
  await page.getByLabel('Reason').fill('Ordered twice')
  await keep(desk, 'institution-cancel')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
  await page.getByText('Ordered twice', { exact: true }).waitFor()
  expect((await payments.get(`/transactions/${data.id}`)).body.data.status).toBe('CANCELLED')
  expect(await acts.count()).toBe(0)
  await desk.context.close()
})

flow('a key is issued, and the one before is seen to end in a day', async () => {
  const desk = await stack.seat(admin)
  const { page } = desk
  await page.goto('/console/keys')
  await page.getByText('Current').waitFor()
  await page.getByRole('button', { name: 'Issue a key' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  expect(key).toMatch(/^sk_test_\w{43}$/)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr')
  await rows.nth(1).waitFor()
  expect(await rows.nth(0).textContent()).toMatch(new RegExp(`sk_test_…${key.slice(-4)}Current.*in 364 d`))
  expect(await rows.nth(1).textContent()).toMatch(/Being replaced.*in 23 h/)
  expect(await page.content()).not.toContain(key)
  await keep(desk, 'api-keys')
  await page.goto('/console')
  await page.getByRole('link', { name: /API key ends in/ }).waitFor()
  await desk.context.close()
})

flow('an institution’s user sees the same, and issues no key', async () => {
  const desk = await stack.seat(user)
  const { page } = desk
  await walk(desk, [
    'Home',
    'Transactions',
    'Accounts',
    'Customers',
    'Statements',
    'Webhooks',
    'Your institution',
    'API keys',
  ])
  await page.goto('/console/keys')
  await page.getByText('Current').waitFor()
  expect(await page.getByRole('button', { name: 'Issue a key' }).count()).toBe(0)
  await desk.context.close()
})

flow('a custodian bank’s people see its balances, participants and payments, and nothing of staff', async () => {
  const desk = await stack.seat(bankAdmin)
  const { page } = desk
  await walk(desk, ['Home', 'Bank money', 'Users'], 'custodian')
  await page.goto('/console')
  await page.getByRole('heading', { level: 1, name: /^Summit Trust/ }).waitFor()
  await page.getByRole('region', { name: 'Balances' }).getByText('120.25').first().waitFor()
  await page.getByRole('region', { name: 'Participants' }).getByText('Lakeside Payments').waitFor()
  await page.getByRole('region', { name: 'Latest payments' }).getByText('Transfer').first().waitFor()
  await desk.context.close()
  const other = await stack.seat(bankUser)
  await walk(other, ['Home', 'Bank money'])
  await other.page.goto(`/console/participants/${institutionId}`)
  await other.page.getByText('This page does not exist').waitFor()
  await other.context.close()
})

flow('staff keep their overview', async () => {
  const desk = await stack.seat(administrator)
  await desk.page.goto('/console')
  await desk.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await desk.context.close()
})
