// Money at banks and on chains, and what it is worth: people decide payments one by one and many at once, set credit
// lines, pay in on a simulated network, compare the ledger with the chains, and fix a rate.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import { violationsOf } from './axe'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole, type Person } from './stack'

const folder = process.env.SCREENSHOTS

let stack: ConsoleStack
let made: Awaited<ReturnType<typeof seedOf>>
let operator: Desk
let viewer: Person
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  const [seeded, olga, vera] = await Promise.all([
    seedOf(stack),
    stack.hire('operator', 'Olga Berg'),
    stack.hire('viewer', 'Vera Lind'),
  ])
  made = seeded
  viewer = vera
  operator = await stack.seat(olga)
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

async function keep({ page, problems }: Desk, name: string) {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
  expect(await violationsOf(page)).toEqual([])
  expect(problems).toEqual([])
}

const statusOf = async (id: string | undefined) =>
  (await stack.platform.to('transaction-manager').get(`/transactions/${id}`)).body.data.status

flow(
  'many payments: the sums are exact, each is decided by itself, and what is refused stays on the screen',
  async () => {
    const { page } = operator
    await page.goto('/console/bank?type=TRANSFER&status=PENDING')
    await settledPage(page)
    await page
      .getByLabel(/^Select Transfer/)
      .first()
      .check()
    await page.getByRole('button', { name: /^Select all/ }).click()
    const bar = page.getByRole('region', { name: 'Selected payments' })
    const rows = await page.getByLabel(/^Select Transfer/).count()
    expect(rows).toBe(3)
    await eventually(async () => expect(await bar.textContent()).toContain('3 payments selected360 USD'))
    await bar.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('row', { name: 'USD' }).textContent()).toBe('USD3360')
    await keep(operator, 'approve-many')
    // Meanwhile somebody else cancels one of them; before, the list might have left it out already.
    await stack.platform.to('transaction-manager').post('/transfer/cancel', { transactionId: made.paymentToCancel })
    await dialog.getByLabel(/^Reason/).fill('The invoices were seen')
    await dialog.getByRole('button', { name: 'Approve 3 payments' }).click()
    await dialog.getByText('1 refused').waitFor()
    expect(await dialog.textContent()).toContain('is a TRANSFER that is CANCELLED and cannot become APPROVED')
    await keep(operator, 'approve-many-refused')
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(await statusOf(made.paymentToCancel)).toBe('CANCELLED')
    expect(await statusOf(made.paymentToReview)).toBe('APPROVED')
  },
)

flow('many transfers are ordered with exact sums; the answer to each is on the screen', async () => {
  const { page } = operator
  const { from, to } = (await stack.platform.to('transaction-manager').get(`/transactions/${made.payment}`)).body.data
  const line = (amount: string, reference: string) =>
    [from.participantBankId, to.participantBankId, amount, 'USD', reference].join(', ')
  await page.goto('/console/bank')
  await page.getByRole('button', { name: 'Order many' }).click()
  const dialog = page.getByRole('dialog')
  const text = dialog.getByLabel('Transfers, one per line')
  await text.fill(`${line('0.10', 'PAY-1')}\nnonsense`)
  await dialog.getByText('Line 2: the first value must be the id of the account that pays').waitFor()
  await text.fill([line('0.10', 'PAY-1'), line('0.20', 'PAY-2'), line('0.001', 'PAY-3')].join('\n'))
  const sum = dialog.getByRole('row', { name: 'USD' })
  await eventually(async () => expect(await sum.textContent()).toBe('USD30.301'))
  await keep(operator, 'order-many')
  await dialog.getByRole('button', { name: 'Order 3 transfers' }).click()
  // Three decimals are one too many for dollars.
  await page.getByRole('dialog', { name: '1 transfer refused' }).waitFor()
  expect(await page.getByRole('dialog').textContent()).toContain('Transfer 3')
  await keep(operator, 'order-many-refused')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'PAY-2' }).waitFor()
  // The other flows count what waits.
  const manager = stack.platform.to('transaction-manager')
  for (const reference of ['PAY-1', 'PAY-2']) {
    const [{ id }] = (await manager.get(`/transactions?reference=${reference}`)).body.data
    await manager.post('/transfer/cancel', { transactionId: id })
  }
})

flow('one payment: a rejection needs a reason, which stands in its history with who gave it', async () => {
  const { page } = operator
  await page.goto(`/console/bank/${made.paymentWithdrawal}`)
  await page.getByRole('heading', { level: 1, name: 'Withdrawal of' }).waitFor()
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByLabel('Question').fill('Who owns the account at Atlantic Trust?')
  await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click()
  await page.getByText('Who owns the account at Atlantic Trust?', { exact: true }).waitFor()
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  // The browser asks for the reason: nothing was sent.
  expect(await statusOf(made.paymentWithdrawal)).toBe('PENDING')
  await dialog.getByLabel('Reason').fill('The owner of the account is not known')
  await keep(operator, 'reject-payment')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('The withdrawal is rejected').first().waitFor()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('The owner of the account is not known').waitFor()
  expect(await history.textContent()).toContain('by you')
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await keep(operator, 'payment')
})

flow('a viewer sees payments, and nothing to decide them with', async () => {
  const desk = await stack.seat(viewer)
  const { page } = desk
  await page.goto('/console/bank')
  await settledPage(page)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.goto(`/console/bank/${made.paymentDeposit}`)
  await page.getByRole('heading', { level: 1, name: 'Deposit of' }).waitFor()
  for (const name of ['Approve', 'Complete', 'Reject', 'Ask']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  await page.goto('/console/chain')
  await settledPage(page)
  expect(await page.getByRole('button', { name: 'Sandbox pay-in' }).count()).toBe(0)
  await desk.context.close()
})

flow('an administrator sets a credit line, and fixes what an asset is worth', async () => {
  const desk = await stack.seat(administrator)
  const { page } = desk
  const parties = (await stack.platform.to('transaction-manager').get(`/transactions/${made.payment}`)).body.data
  await page.goto('/console/bank?view=credit')
  await page.getByRole('button', { name: 'Set a credit line' }).click()
  await page.getByLabel('Participant', { exact: true }).fill(parties.fromParticipant)
  await page.getByLabel('Currency').fill('usd')
  await page.getByLabel('Limit', { exact: true }).fill('2500.50')
  await keep(desk, 'credit-line')
  await page.getByRole('button', { name: 'Set the limit' }).click()
  await page.getByRole('cell', { name: '2,500.5 USD' }).first().waitFor()
  // The button stands at the end of a cell that does not wrap; its dialog reads as any other.
  await page.getByRole('button', { name: 'Change', exact: true }).first().click()
  const set =
    "(({ textAlign, whiteSpace }) => [textAlign, whiteSpace])(getComputedStyle(document.querySelector('dialog')))"
  expect(await page.evaluate(set)).toEqual(['start', 'normal'])
  await page.getByLabel(/^Limit in/).fill('3000')
  await page.getByRole('button', { name: 'Set the limit' }).click()
  await page.getByRole('cell', { name: '3,000 USD' }).first().waitFor()

  await page.goto(`/console/rates/${made.quoteAsset}`)
  await page.getByRole('button', { name: 'Fix the value' }).click()
  await page.getByLabel('USD for one unit').fill('1.0825')
  await keep(desk, 'static-value')
  await page.getByRole('button', { name: 'Set the value' }).click()
  await page.getByText('Fixed value', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Change the fixed value' }).click()
  await page.getByLabel('USD for one unit').fill('')
  await page.getByRole('button', { name: 'Set the value' }).click()
  await page.getByText('Providers are asked for EURC again').first().waitFor()
  const { body } = await stack.platform.to('quote').get(`/assets/${made.quoteAsset}`)
  expect(body.staticValue).toBeNull()
  await desk.context.close()
})

flow('a pay-in on a simulated network is on the chain, and ledger and chain are compared', async () => {
  const { page } = operator
  const { address } = (await stack.platform.to('wallet').get(`/wallets/account/${made.account}/network/polygon`)).body
  await page.goto('/console/chain')
  await page.getByRole('button', { name: 'Sandbox pay-in' }).click()
  await page.getByLabel('To the address').fill(address)
  await page.getByLabel('Amount').fill('12.5')
  await keep(operator, 'pay-in')
  await page.getByRole('dialog').getByRole('button', { name: 'Pay in' }).click()
  await page
    .getByText(/^12.5 USDC paid in/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Ledger against chain' }).click()
  await page.getByRole('button', { name: 'Compare now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('cell', { name: 'USDC' }).waitFor()
  await settledPage(page)
  await keep(operator, 'books')
})

flow('people of a custodian bank see its payments', async () => {
  const email = 'mara.keller@glacier.example'
  const token = await invitationTokenOf(stack.platform.env.DATA_DIR ?? stack.platform.dataDir, email)
  const password = 'nine calm otters by the lock'
  await stack.platform.to('identity-manager').post(`/auth/change-password/${token}`, { password })
  const desk = await stack.seat({ email, password })
  await desk.page.goto('/console/bank')
  await desk.page.getByRole('heading', { level: 1, name: 'Bank money' }).waitFor()
  await settledPage(desk.page)
  expect(await desk.page.getByRole('alert').count()).toBe(0)
  expect(await desk.page.getByRole('link', { name: 'Overview' }).count()).toBe(0)
  await keep(desk, 'custodian-payments')
  await desk.context.close()
})
