// Makes the two pictures of the README: `bun test/console/pictures/make.ts [folder]`. A month of payments is made on a
// platform whose clock goes through it day by day; the demo's story, the seed and a withdrawal that two persons have approved are of today.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleToken } from '@bursar/contracts/examples'
import { serviceConfig } from '@bursar/http'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { callerAt } from '../../../scripts/demo/gateway'
import { seedCatalogue } from '../../../scripts/seed/catalogue'
import { seedHolders } from '../../../scripts/seed/holders'
import { storyOf } from '../../e2e/story'
import { closeBrowser } from '../browser'
import { seedOf } from '../seeded'
import { settledPage } from '../settled-page'
import { administrator, openConsole } from '../stack'
import { dayOfPayments } from './month'
import { moveClock } from './shifted-clock'
import { smallerPng } from './smaller-png'

const folder = process.argv[2] ?? join(import.meta.dir, '../../../docs/pictures')
const days = 30
const mostBytes = 200_000

moveClock(-days)
const stack = await openConsole({ FOUR_EYES_USD: '2000' })
const records = { urls: serviceConfig(stack.platform.env, 'quote').urls, say: () => {} }
await seedCatalogue(records)
const holders = await seedHolders(records)
for (let day = 1; day < days; day++) {
  moveClock(day - days)
  await dayOfPayments(records, holders, day)
}
moveClock(0)
await storyOf(stack.url, stack.platform.env)
await seedOf(stack)
const withdrawal = await reviewedWithdrawal()
await stack.platform.settle()

const { page } = await stack.seat(administrator)
await page.setViewportSize({ width: 1440, height: 900 })
mkdirSync(folder, { recursive: true })
await picture(page, '/console', 'console-overview')
await picture(page, `/console/transactions/${withdrawal}`, 'console-story')
await stack.close()
await closeBrowser()

async function picture(page: Page, path: string, name: string) {
  await page.goto(path)
  await settledPage(page)
  await page.evaluate('document.fonts.ready')
  const file = join(folder, `${name}.png`)
  const png = smallerPng(await page.screenshot({ animations: 'disabled' }))
  if (png.length > mostBytes) throw new Error(`${file} has ${png.length} bytes; at most ${mostBytes} are wanted`)
  writeFileSync(file, png)
}

/** One that its screening did not pass, and that two persons approved; its id. */
async function reviewedWithdrawal(): Promise<string> {
  const ledger = stack.platform.to('core-ledger')
  const { body: assets } = await ledger.get('/assets')
  const { body } = await ledger.post('/transactions/withdrawal', {
    accountId: holders.account,
    assetId: assets.find(({ code }: { code: string }) => code === exampleToken.code).id,
    network: exampleToken.network,
    amount: '2480.75',
    destinationAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    reference: 'Invoice 2026-1187',
  })
  const screeningData = { provider: 'Chainlight', score: 64, reason: 'One step away from a mixer', tags: ['mixer'] }
  await ledger.post('/transactions/complete-screening', { id: body.id, isApproved: false, screeningData })
  for (const [name, note] of [
    ['Anna Berg', 'Invoice and contract seen; the payee is a supplier since 2023.'],
    ['Boris Lund', 'Agreed. The mixer is two owners back.'],
  ] as const) {
    const as = callerAt(stack.url)
    const person = await stack.hire('operator', name)
    const { data } = await as({}).ask<{ data: { accessToken: string } }>('POST /identity/v1/auth/login', {
      body: person,
    })
    const route = `POST /core/v1/transactions/${body.id}/approve-frozen-withdrawal` as const
    await as({ token: data.accessToken }).ask(route, { body: { note } })
  }
  await until(async () => (await ledger.get(`/transactions/${body.id}`)).body.status === 'COMPLETED', {
    timeoutMs: 30_000,
    what: 'the withdrawal to be paid',
  })
  return body.id
}
