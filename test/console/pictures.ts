// Makes the two pictures of the README: `bun test/console/pictures.ts [folder]`. A month of payments is made on a
// platform whose clock goes through it day by day; then the demo's story and the seed are of today.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceConfig } from '@bursar/http'
import type { Page } from 'playwright-core'
import { seedCatalogue } from '../../scripts/seed/catalogue'
import { seedHolders } from '../../scripts/seed/holders'
import { storyOf } from '../e2e/story'
import { dayOfPayments } from './month'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { moveClock } from './shifted-clock'
import { administrator, openConsole } from './stack'

const folder = process.argv[2] ?? join(import.meta.dir, '../../docs/pictures')
const days = 30
const mostBytes = 200_000

moveClock(-days)
const stack = await openConsole()
const records = { urls: serviceConfig(stack.platform.env, 'quote').urls, say: () => {} }
await seedCatalogue(records)
const { account } = await seedHolders(records)
for (let day = 1; day < days; day++) {
  moveClock(day - days)
  await dayOfPayments(records, account, day)
}
moveClock(0)
const { made } = await storyOf(stack.url, stack.platform.env)
await seedOf(stack)
await stack.platform.settle(60_000)

const { page } = await stack.seat(administrator)
await page.setViewportSize({ width: 1440, height: 900 })
mkdirSync(folder, { recursive: true })
await picture(page, '/console', 'console-overview')
await picture(page, `/console/transactions/${made.withdrawal}`, 'console-story')
await stack.close()

async function picture(page: Page, path: string, name: string) {
  await page.goto(path)
  await settledPage(page)
  await page.evaluate('document.fonts.ready')
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled' })
  const { size } = statSync(file)
  if (size > mostBytes) throw new Error(`${file} has ${size} bytes; at most ${mostBytes} are wanted`)
  console.log(file, size)
}
