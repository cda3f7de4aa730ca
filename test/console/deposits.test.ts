// What people decide about a deposit after its end: a rejected one is credited after all or returned, and one that its
// chain has taken back after its credit is covered. Each takes a reason, and two persons where it takes two.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectBus } from '@bursar/bus'
import { type ConfirmedDeposit, DepositConfirmed, DepositReversed } from '@bursar/contracts/blockchain'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
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
let asset: { network: string; contract: string | null; decimals: number }
let anna: Desk
let boris: Desk
let vera: Desk
const flow = test.skipIf(!hasChromium)

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ FOUR_EYES_USD: '1000' })
  seeded = await ratedSeedOf(stack)
  const { body } = await ledger().get(`/assets/${seeded.asset}`)
  asset = { network: body.blockchain, contract: body.contractAddress, decimals: body.decimals }
  const seated = async (...of: Parameters<ConsoleStack['hire']>) => stack.seat(await stack.hire(...of))
  ;[anna, boris, vera] = await Promise.all([
    seated('operator', 'Anna Berg'),
    seated('operator', 'Boris Lund'),
    seated('viewer', 'Vera Look'),
  ])
})
afterAll(() => stack?.close())

const ledger = () => stack.platform.to('core-ledger')
const statusOf = async (id: string): Promise<string> => (await ledger().get(`/transactions/${id}`)).body.status
const decisionsOf = async (id: string): Promise<string[]> =>
  (await ledger().get(`/transactions/${id}/decisions`)).body.map(({ decision }: { decision: string }) => decision)

/** An account of its own, so that its shortfall is its own. */
async function account(name: string): Promise<string> {
  const { body } = await stack.platform.to('account').post('/accounts', { type: 'STABLECOINS', status: 'active', name })
  return body.id
}

/** An event of the blockchain service. */
async function told(event: typeof DepositConfirmed | typeof DepositReversed, data: ConfirmedDeposit): Promise<void> {
  const { redis, dataDir, env } = stack.platform
  const secret = openInternalSecret(dataDir, env.INTERNAL_SECRET)
  const chain = connectBus({ url: redis.url, service: 'blockchain', log: silentLog, secret })
  await chain.healthy()
  const { name, type } = event
  const timestamp = new Date().toISOString()
  const envelope = { id: Bun.randomUUIDv7(), name, type, timestamp, requestId: null, service: 'blockchain', data }
  await chain.publish([eventText(envelope)])
  await chain.close()
}

let hashes = 0

/** A deposit that was credited, and that its chain does not have any more; its id. */
async function takenBack(accountId: string, amount: string): Promise<string> {
  const deposit: ConfirmedDeposit = {
    id: Bun.randomUUIDv7(),
    network: asset.network,
    txHash: `0x${String(++hashes).padStart(64, 'c')}`,
    logIndex: 1,
    accountId,
    address: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    sourceAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    contractAddress: asset.contract,
    amount: `${amount}${'0'.repeat(asset.decimals)}`,
    decimals: asset.decimals,
    confirmedAt: new Date().toISOString(),
    reversedAt: null,
  }
  await told(DepositConfirmed, deposit)
  const found = async () => (await ledger().get(`/transactions?q=${deposit.txHash}`)).body[0]?.id
  const id: string = await until(found, { what: 'the deposit to be recorded' })
  await ledger().post('/transactions/complete-screening', { id, isApproved: true })
  await until(async () => (await statusOf(id)) === 'COMPLETED', { what: 'the deposit to be credited' })
  await told(DepositReversed, { ...deposit, reversedAt: new Date().toISOString() })
  const reasons = async () => JSON.stringify((await ledger().get('/books/reconciliation')).body.shortfalls)
  await until(async () => (await reasons()).includes(accountId), { what: 'the shortfall to be open' })
  return id
}

async function story({ page }: Desk, id: string): Promise<Page> {
  await page.goto(`/console/transactions/${id}`)
  await settledPage(page)
  return page
}
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Chooses a decision, gives a reason, and confirms it. */
async function decide(page: Page, act: string, confirm: string, reason: string): Promise<void> {
  await button(page, act).click()
  await dialog(page).getByLabel('Reason').fill(reason)
  await button(page, confirm).click()
}

flow(
  'a deposit that its chain has taken back says so, is found by its shortfall, and is covered by two persons',
  async () => {
    const id = await takenBack(await account('Reorganised'), '1500')
    const { page } = anna
    await page.goto('/console/chain?view=books')
    const waiting = page.getByRole('list', { name: 'Withdrawals that wait' }).getByRole('listitem')
    await waiting.filter({ hasText: 'Reorganised' }).getByRole('link', { name: 'Open the deposit' }).click()
    await page.getByText('Its chain has taken it back.', { exact: true }).waitFor()
    await keepLooks(anna, 'taken-back', ['narrow-dark', 'wide'])

    await button(page, 'Cover…').click()
    await button(page, 'Cover').click()
    await dialog(page).getByText('This is needed.').waitFor()
    await dialog(page).getByLabel('Reason').fill('The platform has paid in 1,500 USDC')
    await keepLooks(anna, 'cover', ['narrow-dark', 'wide'])
    await button(page, 'Cover').click()
    await page.getByText('Another person must decide it, too', { exact: true }).first().waitFor()
    await page.getByText('wanted it covered, as the first of two; another person must decide it, too.').waitFor()
    // The same person is not the second.
    await decide(page, 'Cover…', 'Cover', 'Once more')
    await dialog(page).getByText('Not carried out.').waitFor()
    expect(await dialog(page).textContent()).toContain('Request')
    await button(page, 'Close').click()

    const second = await story(boris, id)
    await second.getByText('Anna Berg wanted it covered').first().waitFor()
    await decide(second, 'Cover…', 'Cover', 'Seen on the chain')
    await second.getByText('The deposit is covered').first().waitFor()
    await second.getByText('Its chain has taken it back.', { exact: true }).waitFor({ state: 'detached' })
    await button(second, 'Cover…').waitFor({ state: 'detached' })
    await second.getByText('another person must decide it').waitFor({ state: 'detached' })
    expect([await statusOf(id), await decisionsOf(id)]).toEqual(['COMPLETED', ['COVER_PROPOSED', 'COVERED']])
    await second.getByText('covered what is missing').waitFor()
  },
)

flow('of several deposits of an account each is covered by itself; a viewer reads, and covers none', async () => {
  const accountId = await account('Several')
  const first = await takenBack(accountId, '2')
  const later = await takenBack(accountId, '3')
  const seen = await story(vera, later)
  await seen.getByText('Its chain has taken it back.', { exact: true }).waitFor()
  expect(await button(seen, 'Cover…').count()).toBe(0)
  // The shortfall names the first one; that the chain does not have the later one is known by its hash.
  await decide(await story(anna, later), 'Cover…', 'Cover', 'Paid in')
  await anna.page.getByText('The deposit is covered').first().waitFor()
  await anna.page.getByText('Its chain has taken it back.', { exact: true }).waitFor({ state: 'detached' })
  await button(await story(anna, first), 'Cover…').waitFor()
  expect([await decisionsOf(first), await decisionsOf(later)]).toEqual([[], ['COVERED']])
})

flow('a rejected deposit is credited after all', async () => {
  const id = await frozenDeposit(stack, seeded, '12')
  const page = await story(anna, id)
  await decide(page, 'Reject…', 'Reject', 'Not explained')
  await decide(page, 'Credit after all…', 'Credit', 'The source has been explained')
  await page.getByText('The deposit is credited').first().waitFor()
  expect([await statusOf(id), await decisionsOf(id)]).toEqual(['COMPLETED', ['REJECTED', 'RELEASED']])
  await eventually(async () => expect(await button(page, 'Return…').count()).toBe(0))
})

flow('a rejected deposit is returned to its source, with a reason', async () => {
  const id = await frozenDeposit(stack, seeded, '13')
  const page = await story(anna, id)
  await decide(page, 'Reject…', 'Reject', 'Not explained')
  await button(page, 'Return…').click()
  await dialog(page).getByText('0x742d35Cc6634C0532925a3b844Bc454e4438f44e').waitFor()
  await dialog(page).getByLabel('Reason').fill('The customer asked for it')
  await button(page, 'Return').click()
  await page.getByText('The deposit is on its way back').first().waitFor()
  await page.getByText('Returned by').waitFor()
  expect(await decisionsOf(id)).toContain('RETURNED')
  await eventually(async () => expect(await button(page, 'Credit after all…').count()).toBe(0))
})
