// The review queue as a desk for several people: alike transactions are decided together, each by itself and against
// colleagues; one is taken, talked about, and decided in two keys.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import { frozenDeposit, ratedSeedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let anna: Desk
let boris: Desk
let vera: Desk

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ FOUR_EYES_USD: '1000' })
  seeded = await ratedSeedOf(stack)
  const seated = async (...of: Parameters<ConsoleStack['hire']>) => stack.seat(await stack.hire(...of))
  ;[anna, boris, vera] = await Promise.all([
    seated('operator', 'Anna Berg'),
    seated('operator', 'Boris Lund'),
    seated('viewer', 'Vera Look'),
  ])
})
afterAll(() => stack?.close())

const ledger = () => stack.platform.to('core-ledger')
const frozen = (amount: string, source?: string) => frozenDeposit(stack, seeded, amount, source)
const statusOf = async (id: string | undefined) => (await ledger().get(`/transactions/${id}`)).body.status
const dialog = (page: Page) => page.getByRole('dialog')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected transactions' })

async function open({ page }: Desk, path = '/console/review'): Promise<Page> {
  await page.goto(path)
  await settledPage(page)
  return page
}

test.skipIf(!hasChromium)(
  'alike ones are decided together; what a colleague has decided is refused alone',
  async () => {
    // A group of its own.
    const source = `0x${'a11ce'.repeat(8)}`
    const ids = []
    for (const amount of ['10', '11', '1500', '12']) ids.push(await frozen(amount, source))
    const page = await open(anna)
    const group = page.locator('tr.group', { hasText: '0xa11cea' })
    await group.getByText(/4 transactions, ≈ \$1,533/).waitFor()
    await group.getByRole('button', { name: 'Select all 4' }).click()
    await bar(page).getByText('1,533 USDC').waitFor()
    await keepLooks(anna, 'review-selected', ['middle', 'wide'])
    await bar(page).getByRole('button', { name: 'Approve 4…' }).click()
    await dialog(page).getByText('Those that take two persons wait for the second one.').waitFor()
    await ledger().post(`/transactions/${ids[1]}/reject-frozen-deposit`, { reason: 'no' })
    await dialog(page).getByRole('textbox').fill('One contract covers them')
    await dialog(page).getByRole('button', { name: 'Approve 4 transactions' }).click()
    await dialog(page).getByText('2 approved, 1 with the first of two approvals, 1 refused:').waitFor()
    await dialog(page).getByText('is REJECTED; only a FROZEN one can be reviewed').waitFor()
    await keepLooks(anna, 'review-many-refused', ['narrow-dark', 'wide'])
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    expect(await Promise.all([ids[1], ids[2]].map(statusOf))).toEqual(['REJECTED', 'FROZEN'])
    for (const id of [ids[0], ids[3]]) {
      const { body } = await ledger().get(`/transactions/${id}/decisions`)
      expect(body).toMatchObject([{ decision: 'APPROVED', note: 'One contract covers them' }])
    }
    await bar(page).waitFor({ state: 'detached' })

    // Whoever was the first of two is not the second.
    await page.getByRole('checkbox', { name: 'Select Deposit of 1500 USDC' }).check()
    expect(await bar(page).getByRole('button', { name: 'Approve 0…' }).isDisabled()).toBe(true)
    await bar(page).getByRole('button', { name: 'Clear' }).click()
    const second = await open(boris)
    await second.getByRole('checkbox', { name: 'Select Deposit of 1500 USDC' }).check()
    await bar(second).getByRole('button', { name: 'Approve 1…' }).click()
    await dialog(second).getByRole('button', { name: 'Approve 1 transaction' }).click()
    await dialog(second).waitFor({ state: 'detached' })
    expect(await statusOf(ids[2])).not.toBe('FROZEN')
    expect(anna.problems).toEqual([])
  },
)

test.skipIf(!hasChromium)('several are rejected with one reason, which they need', async () => {
  const ids = [await frozen('21'), await frozen('22')]
  const page = await open(boris)
  for (const amount of ['21', '22']) {
    await page.getByRole('checkbox', { name: `Select Deposit of ${amount} USDC` }).check()
  }
  await bar(page).getByRole('button', { name: 'Reject 2…' }).click()
  await dialog(page).getByRole('button', { name: 'Reject 2 transactions' }).click()
  expect(await statusOf(ids[0])).toBe('FROZEN')
  await dialog(page).getByRole('button', { name: 'Suspected fraud' }).click()
  await dialog(page).getByRole('button', { name: 'Reject 2 transactions' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  for (const id of ids) {
    expect((await ledger().get(`/transactions/${id}`)).body).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'Suspected fraud',
    })
  }
})

test.skipIf(!hasChromium)('one is taken and talked about, and colleagues see both', async () => {
  const id = await frozen('31')
  const page = await open(anna, `/console/review?id=${id}`)
  await page.getByText('First seen').first().waitFor()
  await page.getByRole('button', { name: 'Take it' }).click()
  await eventually(async () => expect(await page.getByLabel('Assigned to').inputValue()).not.toBe(''))
  await page.getByRole('textbox', { name: 'Comment' }).fill('Asked for the invoice')
  await page.keyboard.press('Enter')
  await page.locator('.comments li', { hasText: 'Asked for the invoice' }).waitFor()
  await page.getByRole('button', { name: 'Mine' }).click()
  await eventually(async () => expect(await page.locator('tbody tr.can-open').count()).toBe(1))

  const other = await open(vera, `/console/review?id=${id}`)
  await other.locator('.comments li', { hasText: 'Anna Berg' }).waitFor()
  await other.locator('.review-details').getByText('Anna Berg').first().waitFor()
  expect(await other.getByRole('textbox', { name: 'Comment' }).count()).toBe(0)
  expect(await other.getByRole('checkbox').count()).toBe(0)
})

test.skipIf(!hasChromium)('a decision takes two keys', async () => {
  const id = await frozen('41')
  const page = await open(boris, `/console/review?id=${id}`)
  await page.locator('.review-details', { hasText: '41 ' }).waitFor()
  await page.keyboard.press('a')
  await dialog(page).waitFor()
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  expect(await statusOf(id)).not.toBe('FROZEN')
})
