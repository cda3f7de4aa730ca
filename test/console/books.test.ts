// The ledger against the chains in the console: what is owed is made of, what is missing, whose withdrawals wait for it,
// why as far as that is known, and how each ends.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStore } from '@bursar/store'
import { placeOn } from '@bursar/testing/service'
import type { SeededIds } from '../../scripts/seed/seed'
import { keepRound, lastRound } from '../../services/core-ledger/src/reconciliation/last-round'
import { migrations } from '../../services/core-ledger/src/service'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let seeded: SeededIds
let desk: Desk
const flow = test.skipIf(!hasChromium)
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  seeded = await seedOf(stack)
  desk = await stack.seat(await stack.hire('operator', 'Berit Aas'))
  await paidInUnknown()
  await stack.platform.settle()
})
afterAll(() => stack?.close())

const ledger = () => stack.platform.to('core-ledger')
/** Polygon's own coin, which the seed's ledger has no asset for. */
const unknown = { asset: 'POL', shown: 'native' }

let hashes = 0

/** What is in the books by hand, and on no chain. */
async function onlyInBooks(accountId: string, amount: string): Promise<void> {
  const { body } = await ledger().post('/transactions/deposit', {
    accountId,
    network: 'polygon',
    assetId: seeded.asset,
    amount,
    sourceAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    txHash: `0x${String(++hashes).padStart(64, 'b')}`,
  })
  await ledger().post('/transactions/complete-screening', { id: body.id, isApproved: true })
}

/** A portfolio with 40 in the books, and nothing at its addresses; its id. */
async function shortPortfolio(name: string): Promise<string> {
  const { body } = await stack.platform.to('account').post('/accounts', { type: 'PORTFOLIO', status: 'active', name })
  await onlyInBooks(body.id, '40')
  return body.id
}

/** 5 of a coin that the ledger does not know, at the address of an account that it knows. */
async function paidInUnknown(): Promise<void> {
  const { address } = (await stack.platform.to('wallet').get(`/wallets/account/${seeded.account}/network/polygon`)).body
  const paid = { address, asset: unknown.asset, amount: '5' }
  const answer = await stack.platform.to('blockchain').post('/simulated/polygon/deposits', paid)
  expect([answer.status, answer.body]).toMatchObject([201, { asset: unknown.asset }])
}

async function compare({ page }: Desk) {
  await page.getByRole('button', { name: 'Compare now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** As if what was found had been found ten minutes ago: two comparisons count if they lie so far apart. */
async function passTenMinutes() {
  await stack.platform.stop('core-ledger')
  const place = placeOn(stack.platform.kept('core-ledger'))
  const store = await openStore({ service: 'core-ledger', ...place, migrations })
  await store.commit(async (tx) => {
    const round = await lastRound(tx)
    const earlier = (at: string) => new Date(Date.parse(at) - 600_000).toISOString()
    const since = Object.entries(round.shortSince).map(([name, at]) => [name, earlier(at)])
    await keepRound(tx, { ...round, shortSince: Object.fromEntries(since) })
  })
  await store.close()
  await stack.platform.start('core-ledger')
}

const fact = ({ page }: Desk, label: string) =>
  page.locator('.facts div', { has: page.getByText(label, { exact: true }) })

flow('what is short shows its parts, how much to top up, and whose withdrawals wait until when', async () => {
  const { page } = desk
  const portfolio = await shortPortfolio('Vault')
  await onlyInBooks(seeded.account ?? '', '100000.5')
  await page.goto('/console/chain?view=books')
  await settledPage(page)
  await compare(desk)
  const missing = page.getByRole('region', { name: 'Coins are missing' })
  const itself = missing
    .getByRole('list', { name: 'Portfolios that hold too little' })
    .getByRole('listitem')
    .filter({ hasText: 'Vault' })
  await itself.getByText('If a comparison ten minutes later finds the same').waitFor()
  await compare(desk)
  await itself.waitFor()
  await passTenMinutes()
  await compare(desk)
  await itself.waitFor({ state: 'detached' })
  const waiting = missing
    .getByRole('list', { name: 'Withdrawals that wait' })
    .getByRole('listitem')
    .filter({ hasText: 'Vault' })
  await waiting.getByText('The portfolio’s addresses hold 0 USDC; the ledger has 40').waitFor()
  await waiting.getByText('Pay what is missing to the portfolio’s own address').waitFor()
  expect(await waiting.getByRole('link', { name: 'Vault' }).getAttribute('href')).toBe(`/console/accounts/${portfolio}`)
  await missing.getByText('bun run reconcile').waitFor()

  const { body } = await ledger().get('/books/reconciliation')
  const short = body.holdings.find((holding: { isShort: boolean }) => holding.isShort)
  expect(short).toMatchObject({ assetCode: 'USDC', network: 'polygon' })
  expect(Number(short.topUp)).toBeGreaterThan(0)
  await page.getByRole('heading', { name: 'USDC on polygon' }).waitFor()
  expect(Number(short.portfolios.owed)).toBeGreaterThanOrEqual(40)
  const amounts: [string, string][] = [
    ['Customers', short.customers],
    ['+ in suspense', short.suspense],
    ['− under way', short.underWay],
    ['= owed', short.owed],
    ['Held', short.held],
    ['Top up', short.topUp],
    ['Portfolios by the books', short.portfolios.owed],
    ['At their addresses', '0'],
  ]
  for (const [label, amount] of amounts) {
    expect([label, (await fact(desk, label).textContent())?.replaceAll(',', '')]).toEqual([
      label,
      `${label}${amount} USDC`,
    ])
  }
  await page.getByText('to the deployment’s own address').waitFor()
  await keepLooks(desk, 'books-short', ['narrow-dark', 'middle', 'wide'])
})

flow('another one is chosen by keyboard; what is known of its difference says what to do', async () => {
  const { page } = desk
  await page.goto('/console/chain?view=books')
  await settledPage(page)
  await compare(desk)
  const row = page.getByRole('button', { name: unknown.shown, pressed: false })
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `${unknown.shown} on polygon` }).waitFor()
  await page.getByText('1 deposit is set aside, 5. Add their asset').waitFor()
  expect(await fact(desk, 'Top up').count()).toBe(0)
  expect(await fact(desk, 'The platform’s own').textContent()).toContain('5')
  await keepLooks(desk, 'books-causes', ['narrow-dark', 'wide'])
})

flow('a portfolio’s page has its movements, and what each waits for', async () => {
  const { page } = desk
  const portfolio = await shortPortfolio('Coffer')
  await page.goto(`/console/accounts/${portfolio}`)
  await page.getByText('No movements other than its transactions').waitFor()
  await keepLooks(desk, 'portfolio', ['narrow-dark', 'wide'])
  await page.goto(`/console/accounts/${seeded.account}`)
  await page.getByRole('region', { name: 'Balances' }).waitFor()
  expect(await page.getByRole('region', { name: 'Movements on chain' }).count()).toBe(0)
})
