// People decide frozen transactions in the console: by keyboard, by two persons where it takes two, and against each
// other. What is refused or overtaken says so, and stays on the screen.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { frozenDeposit, ratedSeedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let anna: Desk
let boris: Desk
let vera: Desk
let clara: Desk

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ FOUR_EYES_USD: '1000' })
  seeded = await ratedSeedOf(stack)
  const seated = async (...of: Parameters<ConsoleStack['hire']>) => stack.seat(await stack.hire(...of))
  ;[anna, boris, vera, clara] = await Promise.all([
    seated('operator', 'Anna Berg'),
    seated('operator', 'Boris Lund'),
    seated('viewer', 'Vera Look'),
    seated('operator', 'Clara Lane'),
  ])
})
afterAll(() => stack?.close())

const ledger = () => stack.platform.to('core-ledger')

/** A deposit that its screening did not pass. */
const frozen = (amount: string) => frozenDeposit(stack, seeded, amount)

const statusOf = async (id: string): Promise<string> => (await ledger().get(`/transactions/${id}`)).body.status

/** As the console shows an id; those of one minute begin alike. */
const shortened = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`

/** Opens the queue with this one chosen. */
async function review({ page }: Desk, id: string): Promise<Page> {
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  await page
    .getByRole('link', { name: shortened(id) })
    .first()
    .waitFor()
  return page
}
const dialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(!hasChromium)('the review queue', () => {
  test('by keyboard alone: walk, approve with a note, and the next one is chosen', async () => {
    const ids = [await frozen('10'), await frozen('11')]
    const page = await review(anna, ids[0] ?? '')
    await page.getByText('Received from a mixer').first().waitFor()
    await page.keyboard.press('a')
    await dialog(page).getByRole('textbox').fill('Contract of sale seen')
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('The deposit is approved').first().waitFor()
    await page.locator('.review-details', { hasText: '11 ' }).waitFor()
    const { body } = await ledger().get(`/transactions/${ids[0]}/decisions`)
    expect(body).toMatchObject([{ decision: 'APPROVED', note: 'Contract of sale seen', actor: { kind: 'user' } }])
  })

  test('a rejection needs a reason', async () => {
    const id = await frozen('12')
    const page = await review(anna, id)
    await page.keyboard.press('x')
    await dialog(page).getByRole('button', { name: 'Reject', exact: true }).click()
    expect(await dialog(page).isVisible()).toBe(true)
    expect(await statusOf(id)).toBe('FROZEN')
    await dialog(page).getByRole('button', { name: 'Suspected fraud' }).click()
    await dialog(page).getByRole('button', { name: 'Reject', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await ledger().get(`/transactions/${id}`)).body).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'Suspected fraud',
    })
  })

  test('what is worth much takes two persons, and the first one is shown to the second', async () => {
    const id = await frozen('2500')
    const first = await review(anna, id)
    await first.getByText('It takes two persons').waitFor()
    await first.keyboard.press('a')
    await dialog(first).getByRole('textbox').fill('I know them')
    await dialog(first).getByRole('button', { name: 'Approve as the first' }).click()
    await dialog(first).waitFor({ state: 'detached' })
    await first.getByText('1 of 2').first().waitFor()
    expect(await first.getByRole('button', { name: 'Approved by you' }).isDisabled()).toBe(true)
    expect(await statusOf(id)).toBe('FROZEN')
    const second = await review(boris, id)
    await second.getByText('“I know them”').waitFor()
    await second.getByRole('button', { name: 'Approve as second…' }).click()
    await dialog(second).getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog(second).waitFor({ state: 'detached' })
    expect(await statusOf(id)).not.toBe('FROZEN')
  })

  test('a decision that another one has overtaken is refused in the dialog, and stays on the page', async () => {
    const id = await frozen('13')
    const page = await review(anna, id)
    await page.keyboard.press('a')
    await dialog(page).waitFor()
    await ledger().post(`/transactions/${id}/reject-frozen-deposit`, { reason: 'no' })
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await dialog(page).getByText('is REJECTED; only a FROZEN one can be reviewed').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    const left = page.locator('.note', { hasText: 'Not carried out.' })
    await left.waitFor()
    await page.getByRole('link', { name: shortened(id) }).waitFor({ state: 'detached' })
    await left.getByRole('link', { name: 'Show the transaction' }).click()
    await page.getByText('Rejected').first().waitFor()
    expect(await statusOf(id)).toBe('REJECTED')
  })

  test('what was refused is no longer said once the same decision has succeeded', async () => {
    const id = await frozen('17')
    const page = await review(anna, id)
    const path = `**/transactions/${id}/approve-frozen-deposit`
    await page.route(path, (route) => route.fulfill({ status: 409, json: { message: 'The ledger is busy' } }))
    await page.keyboard.press('a')
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    const left = page.locator('.note', { hasText: 'Show the transaction' })
    await left.waitFor()
    await page.unroute(path)
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await left.waitFor({ state: 'detached' })
    expect(await statusOf(id)).not.toBe('FROZEN')
  })

  test('one that leaves while somebody looks at it says so', async () => {
    const id = await frozen('14')
    await clara.page.clock.install()
    const page = await review(clara, id)
    await ledger().post(`/transactions/${id}/reject-frozen-deposit`, { reason: 'no' })
    await page.clock.fastForward('01:00')
    await page.getByText('Decided meanwhile.').waitFor()
  })

  test('a viewer reads, and decides nothing', async () => {
    const id = await frozen('15')
    const page = await review(vera, id)
    await page.getByText('Operators and administrators decide.').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.press('x')
    expect(await dialog(page).count()).toBe(0)
    expect(await statusOf(id)).toBe('FROZEN')
  })
})

describe.skipIf(!hasChromium)('one transaction', () => {
  test('an approved one that waits says why, is tried again, and is failed with a reason', async () => {
    const id = seeded.withdrawalToFail ?? ''
    const { page } = anna
    await page.goto('/console/transactions?view=stuck')
    await settledPage(page)
    await page.goto(`/console/transactions/${id}`)
    await settledPage(page)
    await page.getByText('only active accounts can be used').first().waitFor()
    await page.getByRole('button', { name: 'Try now…' }).click()
    await dialog(page).getByRole('button', { name: 'Try now' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('brought the next attempt forward').first().waitFor()
    await page.getByRole('button', { name: 'Fail…' }).click()
    await dialog(page).getByRole('button', { name: 'The account stays suspended' }).click()
    await dialog(page).getByRole('button', { name: 'Fail', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('failed it').first().waitFor()
    expect(await statusOf(id)).toBe('FAILED')
  })

  test('a part that cannot be read says so, and the others stand', async () => {
    const { page } = boris
    await page.route('**/core/v1/transactions/*/entries', (route) => route.abort())
    await page.goto(`/console/transactions/${seeded.deposit}`)
    await page.getByRole('alert').filter({ hasText: 'The journal entries could not be read.' }).waitFor()
    await page.getByRole('list', { name: 'Phases' }).getByText('Created').waitFor()
    await page.getByText('Deposit received').waitFor()
    await page.unroute('**/core/v1/transactions/*/entries')
  })

  test('one that does not exist says so', async () => {
    await boris.page.goto('/console/transactions/00000000-0000-7000-8000-000000000000')
    await boris.page.getByText('There is no such transaction').waitFor()
  })
})

describe.skipIf(!hasChromium)('the list of transactions', () => {
  test('filters live in the URL, and the CSV has them', async () => {
    const { page } = boris
    await page.goto('/console/transactions?type=WITHDRAWAL&status=FROZEN')
    await settledPage(page)
    const frozenOnes = await page.locator('tbody tr').count()
    expect(frozenOnes).toBeGreaterThan(0)
    expect(await page.locator('tbody tr', { hasText: 'Frozen' }).count()).toBe(frozenOnes)
    await page.getByLabel('Status').selectOption('FAILED')
    await page.waitForURL(/status=FAILED/)
    const csv = page.getByRole('link', { name: 'CSV' })
    await eventually(async () => expect(await csv.getAttribute('href')).toContain('status=FAILED'))
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL((url) => url.search === '')
    const hash = (await ledger().get(`/transactions/${seeded.deposit}`)).body.txHash
    await page.getByLabel('Reference, hash or address', { exact: true }).fill(hash)
    await page.waitForURL(/q=0x/)
    await eventually(async () => expect(await page.locator('tbody tr.can-open').count()).toBe(1))
  })
})
