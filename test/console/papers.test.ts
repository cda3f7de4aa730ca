// What leaves the screen: a transaction's story and a statement on paper. And names where the services keep ids.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { storyOf } from '../e2e/story'
import { hasChromium } from './browser'
import { eventually } from './eventually'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'

/** A4 less its margins, in CSS pixels; and on its side. */
const paper = { width: 680, height: 1000 }
const acrossPaper = { width: 1010, height: 680 }

let stack: ConsoleStack
let staff: Desk
let made: Awaited<ReturnType<typeof storyOf>>['made']
/** The institution of the story, by name. */
let institution: string

beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  made = (await storyOf(stack.url, stack.platform.env)).made
  institution = (await stack.platform.to('main-api').get(`/admin/pfi/${made.participant}`)).body.name
  staff = await stack.seat(administrator)
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

async function onPaper(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.goto(path)
  await settledPage(page)
  await page.setViewportSize(paper)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
}

/** The words that are printed: those of elements with room, and those that a style writes in their place. */
const printed = `(() => {
  const words = []
  const walk = (node) => {
    if (node.nodeType === 3) {
      const style = getComputedStyle(node.parentElement)
      if (style.fontSize !== '0px' && node.parentElement.getClientRects().length > 0) words.push(node.textContent)
      return
    }
    if (node.nodeType !== 1 || getComputedStyle(node).display === 'none') return
    for (const child of node.childNodes) walk(child)
    const { content } = getComputedStyle(node, '::after')
    if (content.startsWith('"')) words.push(content.slice(1, -1))
  }
  walk(document.body)
  return words.join(' ').replaceAll(/\\s+/g, ' ')
})()`

const clickable = `[...document.querySelectorAll('button, input, select, summary, nav a, header.header')]
  .filter((element) => element.getClientRects().length > 0)
  .map((element) => element.outerHTML.slice(0, 80))`

const links = `[...document.querySelectorAll('a')].filter((a) => a.getClientRects().length > 0)
  .map((a) => getComputedStyle(a).textDecorationLine + ' ' + (getComputedStyle(a, '::after').content))
  .filter((look) => look !== 'none none')`

/** Black on white, whatever the screen shows. */
const colours = `[getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor,
  getComputedStyle(document.querySelector('.card')).backgroundColor]`

/** What is printed, once these parts are among it: names come a moment after the ids of what they name. */
async function documentWith(page: Page, parts: readonly string[]): Promise<string> {
  await eventually(async () => {
    const words = await page.evaluate<string>(printed)
    for (const part of parts) expect(words).toContain(part)
  })
  await page.setViewportSize(acrossPaper)
  expect(await page.evaluate(clickable)).toEqual([])
  await page.setViewportSize(paper)
  expect(await page.evaluate(clickable)).toEqual([])
  expect(await page.evaluate(links)).toEqual([])
  expect(await page.evaluate(colours)).toEqual(['rgb(20, 24, 23)', 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(paper.width)
  return await page.evaluate(printed)
}

flow('the story of a transaction is a document: facts first, ids whole, people by name', async () => {
  const { page, problems } = staff
  const { body } = await stack.platform.to('core-ledger').get(`/transactions/${made.withdrawal}`)
  await onPaper(page, `/console/transactions/${made.withdrawal}`)
  await page.getByText('Approved in review').waitFor()
  const parts = [body.id, body.txHash, body.destinationAddress, institution, 'Administrator approved it']
  const words = await documentWith(page, parts)
  for (const part of ['Overview', 'Review queue', 'Comment', 'As the API answers it', 'activity log', 'you approved']) {
    expect(words).not.toContain(part)
  }
  const [facts, story] = await Promise.all(
    ['Facts', 'What happened'].map(async (name) => (await page.getByRole('region', { name }).boundingBox())?.y ?? 0),
  )
  expect(facts).toBeLessThan(story ?? 0)
  expect(problems).toEqual([])
})

flow(
  'staff open an account’s statement from its page; on paper it is a table with every day and whole addresses',
  async () => {
    const { page } = staff
    const { body } = await stack.platform.to('core-ledger').get(`/transactions/${made.withdrawal}`)
    await page.emulateMedia({ media: 'screen' })
    await page.setViewportSize({ width: 1440, height: 960 })
    await page.goto(`/console/accounts/${made.account}`)
    await page.getByRole('link', { name: 'Statement' }).click()
    await page.getByRole('heading', { level: 1, name: 'Statement' }).waitFor()
    // Another month may have begun since it was paid.
    await page.getByLabel('Month').selectOption(body.updatedAt.slice(0, 7))
    await page.getByRole('table', { name: 'Changes, oldest first' }).waitFor()
    await onPaper(page, page.url())
    await page.getByText(institution).first().waitFor()
    await documentWith(page, [institution, made.account, body.destinationAddress, body.createdAt.slice(0, 10)])
    // Rows stay rows: cards are for telephones.
    const looks = `[...document.querySelectorAll('tr, thead')].map((row) => getComputedStyle(row).display)`
    expect(new Set((await page.evaluate(looks)) as string[])).toEqual(new Set(['table-row', 'table-header-group']))
    const breaks = `[...document.querySelectorAll('tr')].map((row) => getComputedStyle(row).breakInside)`
    expect(new Set((await page.evaluate(breaks)) as string[])).toEqual(new Set(['avoid']))
  },
)

flow('a statement without an account leads to the accounts', async () => {
  const { page } = staff
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/console/statements')
  await page.getByText('Choose an account').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
})

flow('the audit trail and a payment name institutions and custodian banks', async () => {
  const { page } = staff
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1440, height: 960 })
  await page.goto('/console/audit')
  await page.getByText(`set the status of ${institution}`).first().waitFor()
  const link = page
    .getByRole('row')
    .filter({ hasText: 'set a credit line of' })
    .getByRole('link', { name: institution })
  expect(await link.first().getAttribute('href')).toBe(`/console/participants/${made.participant}`)
  const { body } = await stack.platform.to('main-api').get('/custodians')
  const [bank] = body.data
  await page.getByText(`added the custodian bank ${bank.name}`).waitFor()
  await page.goto(`/console/bank/${made.transfer}`)
  await page.getByText(`at ${bank.name}`).first().waitFor()
  await eventually(async () => expect(await page.locator('.history').textContent()).toContain(`by ${institution}`))
})

flow('a refused field says why below it, in a dialog as on a page; what is typed takes it away', async () => {
  const { page } = staff
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/console/users')
  await page.getByRole('button', { name: 'Invite a user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Nora New')
  await dialog.getByLabel('E-mail').fill('nora')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByText('Write an address such as name@bank.example.').waitFor()
  const field = dialog.getByLabel('E-mail')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate('document.activeElement.name')).toBe('email')
  await field.fill('nora@bank.example')
  await dialog.getByText('Write an address').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  // A reason that an act needs.
  await page.goto(`/console/accounts/${made.account}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByText('This is needed.').waitFor()
  expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.press('Escape')
})
