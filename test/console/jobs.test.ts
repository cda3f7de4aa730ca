// What a payment company's people do all day, on a platform with a story behind it: find a record by anything that is
// known of it, tell its story, suspend an account, answer an auditor. The other jobs: decisions.test.ts (decide, unstick),
// money.test.ts (reconcile), watch.test.ts (replay webhooks), records.test.ts (onboard), operations.test.ts (health).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inOrder, until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import type { Made } from '../../scripts/demo/story'
import type { SeededIds } from '../../scripts/seed/seed'
import { storyOf } from '../e2e/story'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { searchFor } from './search-for'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let made: Made
let seeded: SeededIds
let operator: Desk
let viewer: Person

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  const [story, olga, vera] = await Promise.all([
    storyOf(stack.url, stack.platform.env),
    stack.hire('operator', 'Olga Operator'),
    stack.hire('viewer', 'Vera Viewer'),
  ])
  made = story.made
  viewer = vera
  seeded = await seedOf(stack)
  operator = await stack.seat(olga)
})
afterAll(() => stack?.close())

const jobs = hasChromium ? inOrder : (title: string) => test.skip(title, () => {})
const dialog = (page: Page) => page.getByRole('dialog')
const to = (...args: Parameters<ConsoleStack['platform']['to']>) => stack.platform.to(...args)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const asText = async (page: Page) => ((await page.locator('main').textContent()) ?? '').replaceAll(/\s+/g, ' ')

/** Searches, and opens the one that is meant. */
async function find(page: Page, text: string, kind: string): Promise<void> {
  // A "Chain transaction" is no "Transaction": where the ledger is late, the record of another service comes first.
  const ofKind = page.locator('.search-kind').getByText(kind, { exact: true })
  const option = page.getByRole('option').filter({ has: ofKind }).first()
  await searchFor(page, text, option)
  await option.click()
}

jobs('find one by any id', (step) => {
  step('a transaction: by its id, its hash, its reference', async () => {
    const { page } = operator
    await page.goto('/console/health')
    const { body: deposit } = await to('core-ledger').get(`/transactions/${made.deposit}`)
    for (const text of [deposit.id, deposit.txHash]) {
      await find(page, text, 'Transaction')
      await page.waitForURL(`**/console/transactions/${deposit.id}`)
      await heading(page, /^Deposit of 1,000 USDC/)
    }
    const { body: payment } = await to('transaction-manager').get(`/transactions/${made.transfer}`)
    await find(page, payment.data.reference, 'Payment')
    await page.waitForURL(`**/console/bank/${made.transfer}`)
  })
  step('an account: by an address on a chain, and by its name', async () => {
    const { page } = operator
    const { body: addresses } = await to('account').get(`/accounts/${made.account}/addresses`)
    for (const text of [addresses[0], 'Treas']) {
      await find(page, text, 'Account')
      await page.waitForURL(`**/console/accounts/${made.account}`)
      await heading(page, 'Treasury')
    }
  })
  step(
    'a customer by the id that its institution gives it, an institution by its name, a user by the e-mail',
    async () => {
      const { page } = operator
      const { body: customer } = await to('customer').get(`/customers/${made.customer}`)
      await find(page, customer.externalId, 'Customer')
      await page.waitForURL(`**/console/customers/${made.customer}`)
      await find(page, 'Hillside', 'Participant')
      await heading(page, /^Hillside Bank/)
      const desk = await stack.seat(administrator)
      await desk.page.goto('/console')
      await find(desk.page, administrator.email, 'User')
      await desk.page.waitForURL('**/console/users?**')
      await desk.context.close()
    },
  )
})

jobs('tell its story', (step) => {
  step('a withdrawal: phases, who approved it, journal, chain, what was said to its participants', async () => {
    const { page } = operator
    const { body: withdrawal } = await to('core-ledger').get(`/transactions/${made.withdrawal}`)
    const { body: entries } = await to('core-ledger').get(`/transactions/${made.withdrawal}/entries`)
    await page.goto(`/console/transactions/${made.withdrawal}`)
    await heading(page, /^Withdrawal of/)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    const linesOf = (source: string) => page.locator(`.timeline-line[data-source=${source}]`)
    await eventually(async () => expect(await linesOf('journal').count()).toBe(entries.length))
    await linesOf('people').getByText('Administrator').first().waitFor()
    await page.getByText('Frozen by screening').waitFor()
    await page.getByText('from beginning to end').waitFor()
    // What the services said of it is there when it is asked for, and goes again.
    expect(await linesOf('log').count()).toBe(0)
    const log = page.getByRole('button', { name: /^Services’ log/ })
    await log.click()
    await linesOf('log').first().waitFor()
    await log.click()
    await linesOf('log').first().waitFor({ state: 'detached' })
    await settledPage(page)
    await eventually(async () => {
      const text = await asText(page)
      for (const part of [withdrawal.txHash, withdrawal.destinationAddress, 'approved it', 'Simulated', 'wallet']) {
        expect(text).toContain(part)
      }
    })
    const phases = (await page.locator('.phase').allTextContents()).map((phase) => phase.replaceAll(/\s+/g, ' '))
    expect(phases).toEqual([
      expect.stringMatching(/^Created done/),
      // Its destination is flagged: a person let it pass.
      expect.stringMatching(/^Screening not passed/),
      expect.stringMatching(/^Review done/),
      expect.stringMatching(/^Execution done/),
      expect.stringMatching(/^Confirmation done/),
    ])
    expect(operator.problems).toEqual([])
  })
})

jobs('suspend an account, and answer an auditor about it', (step) => {
  const status = async () => (await to('account').get(`/accounts/${seeded.account}`)).body.status
  const withdraw = () =>
    to('core-ledger').post('/transactions/withdrawal', {
      accountId: seeded.account,
      assetId: seeded.asset,
      network: 'polygon',
      amount: '1',
      destinationAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    })
  step('with a reason; its money stands still', async () => {
    const { page } = operator
    await page.goto(`/console/accounts/${seeded.account}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await dialog(page).getByRole('button', { name: 'Suspend' }).click()
    // The browser asks for the reason: nothing was sent.
    expect(await status()).toBe('active')
    await dialog(page).getByLabel('Reason').fill('Its owner reports a theft')
    await dialog(page).getByRole('button', { name: 'Suspend' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await status()).toBe('suspended')
    const history = page.locator('.history li', { hasText: 'Its owner reports a theft' })
    await history.getByText('by you').waitFor()
    const refused = await until(async () => (await withdraw()).body.message, {
      what: 'the ledger to refuse a withdrawal',
    })
    expect(refused).toContain('is suspended; only active accounts can be used')
  })
  step('and gives it free again', async () => {
    const { page } = operator
    await page.getByRole('button', { name: 'Activate' }).click()
    await dialog(page).getByLabel('Reason').fill('The keys were changed')
    await dialog(page).getByRole('button', { name: 'Activate' }).click()
    await page.getByText('is active again').first().waitFor()
    expect(await status()).toBe('active')
    await eventually(async () => expect(await page.locator('.history li').count()).toBe(3))
  })
  step('a viewer cannot, and sees who did', async () => {
    const { page, context } = await stack.seat(viewer)
    await page.goto(`/console/accounts/${seeded.account}`)
    const history = page.locator('.history li', { hasText: 'The keys were changed' })
    await history.getByText('Olga Operator').waitFor()
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
    await context.close()
  })
  step('who did what to an account: name, time, before, after; whole, and to be taken along', async () => {
    const { page, problems, context } = await stack.seat(administrator)
    await page.goto(`/console/audit?object=${seeded.account}`)
    await page.getByText('The trail is whole.').waitFor()
    const acts = page.getByRole('table', { name: 'Acts' }).locator('tbody tr', { hasText: 'Olga Operator' })
    await eventually(async () => expect(await acts.count()).toBe(2))
    await acts.last().getByRole('button').first().click()
    const changes = page.getByRole('table', { name: 'What changed' })
    await changes.waitFor()
    expect(await changes.getByRole('row', { name: 'status' }).textContent()).toMatch(/active.*suspended/)
    expect(await asText(page)).toContain('by the console')
    const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const answer = await page.request.get(`${stack.url}${csv}`)
    expect(answer.headers()['content-type']).toContain('text/csv')
    expect(await answer.text()).toContain(seeded.account ?? '-')
    expect(problems).toEqual([])
    await context.close()
  })
})
