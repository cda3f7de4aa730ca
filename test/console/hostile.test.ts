// What people and programs may have written, where the console shows it: names that are long, run from right to left,
// stack marks or look like HTML, and amounts of thirty digits. Nothing of it is carried out,
// stands out of the window, or changes how the text beside it reads. On a telephone, and at 200 % zoom.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { searchFor } from './search-for'
import { seedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let desk: Desk
const flow = test.skipIf(!hasChromium)

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const names = {
  long: `${long}${long}`,
  rightToLeft: 'بنك الاختبار للمدفوعات',
  // Few at each letter: a letter with all of its marks is one sign, which cannot break.
  marks: [...'Zalgo'.repeat(6)].map((letter) => `${letter}\u0337\u0355\u0348`).join(''),
  html: '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">',
  emoji: '👩‍👩‍👧‍👦🏦𝒳 bank',
}
const amount = '123456789012345678901234567890'

/** What was made with each name. */
const made: { participant: string; customer: string; account: string; frozen: string }[] = []

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  const { asset } = await seedOf(stack)
  const ledger = stack.platform.to('core-ledger')
  const participants = stack.platform.to('participant')
  for (const [i, name] of Object.values(names).entries()) {
    const accounts = [{ type: 'STABLECOINS', status: 'active', name: name.slice(0, 100) }]
    const { id: participant } = await participants.create('/participants', {
      institutionName: name,
      authConsumerId: `hostile-${i}`,
      customers: [{ externalId: name, status: 'active', accounts }],
    })
    const of = async () => (await participants.get(`/participants/${participant}`)).body.customers[0]
    const customer = await until(async () => ((await of())?.accounts[0] ? await of() : null), { what: 'its account' })
    const account = customer.accounts[0].id
    const { id: frozen } = await ledger.create('/transactions/deposit', {
      accountId: account,
      network: 'polygon',
      assetId: asset,
      amount,
      sourceAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
      txHash: `0x${String(i).padStart(64, 'a')}`,
      reference: name,
    })
    const screeningData = { provider: name, score: 91, reason: name, tags: [name] }
    await ledger.post('/transactions/complete-screening', { id: frozen, isApproved: false, screeningData })
    made.push({ participant, customer: customer.id, account, frozen })
  }
  await stack.platform.settle()
  desk = await stack.seat(administrator)
})
afterAll(() => stack?.close())

/** The names of what stands out of the window, or of its own box that cannot be scrolled. */
const outside = `(() => {
  const scrolls = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement))
    .map((element) => element.tagName + '.' + element.className).slice(0, 5)
})()`

/** Where the page does not fit, and what stays out there once the plots have taken their new width. */
async function misfits(page: Page, path: string): Promise<object[]> {
  const found: object[] = []
  for (const width of [360, 720, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    let [wider, parts]: unknown[] = []
    const fits = async () => {
      wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      parts = await page.evaluate<string[]>(outside)
      return Bun.deepEquals([wider, parts], [0, []])
    }
    await until(fits).catch(() => found.push({ path, width, wider, parts }))
  }
  return found
}

const lists = ['', '/review', '/transactions', '/accounts', '/customers', '/participants?tab=participants', '/audit']

for (const path of lists) {
  flow(`/console${path} holds every name and amount`, async () => {
    const { page, problems } = desk
    await page.goto(`/console${path}`)
    await settledPage(page)
    expect(await misfits(page, path)).toEqual([])
    expect([await page.evaluate('window.hacked'), problems]).toEqual([undefined, []])
  })
}

flow('the page of each record holds them', async () => {
  const { page, problems } = desk
  const found: object[] = []
  for (const { participant, customer, account, frozen } of made) {
    const pages = [
      `transactions/${frozen}`,
      `accounts/${account}`,
      `customers/${customer}`,
      `participants/${participant}`,
    ]
    for (const path of pages) {
      await page.goto(`/console/${path}`)
      await settledPage(page)
      found.push(...(await misfits(page, path)))
    }
  }
  expect(found).toEqual([])
  expect([await page.evaluate('window.hacked'), problems]).toEqual([undefined, []])
})

flow('a dialog about one holds them, and shows every digit', async () => {
  const { page } = desk
  await page.goto(`/console/transactions/${made[0]?.frozen}`)
  await page.getByRole('button', { name: 'Approve…' }).click()
  await page.getByRole('dialog').getByText('123,456,789,012,345,678,901,234,567,890').waitFor()
  expect(await misfits(page, 'the dialog')).toEqual([])
  await keepLooks(desk, 'hostile-dialog', ['narrow-dark', 'wide'])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

flow('a name from right to left leaves the order of what stands beside it', async () => {
  const path = `/console/transactions/${made[0]?.frozen}`
  const { page: own, context } = await stack.seat(await stack.hire('operator', names.rightToLeft))
  await own.goto(path)
  await own.getByRole('textbox', { name: 'Comment' }).fill('Seen')
  await own.getByRole('button', { name: 'Send' }).click()
  await own.locator('.comments').getByText('Seen').waitFor()
  await context.close()
  const { page } = desk
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(path)
  const head = page.locator('.comment-head')
  await head.getByText(names.rightToLeft).waitFor()
  const [name, time] = [await head.locator('b').boundingBox(), await head.locator('time').boundingBox()]
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan(time?.x ?? 0)
})

flow('the search and what it finds hold them', async () => {
  const { page, problems } = desk
  await page.goto('/console')
  for (const name of [names.long.slice(0, 40), 'بنك']) {
    await searchFor(page, name, page.getByRole('option').filter({ hasText: name }).first())
    expect(await misfits(page, `the search for ${name}`)).toEqual([])
  }
  expect(problems).toEqual([])
})
