// The log-in page: what it loads, what is there before its script, that nothing of it is lost when the script comes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Response } from 'playwright-core'
import { hasChromium, openBrowser } from './browser'
import { keepLooks } from './keep-looks'
import { type ConsoleStack, openConsole, type Person } from './stack'

let stack: ConsoleStack
let person: Person
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({}, { names: ['gateway', 'identity-manager', 'main-api', 'core-ledger'] })
  person = await stack.hire('operator', 'Olga Reuter')
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)
const kib = 1024

flow('it loads a page, a style, a script and the font, and asks whether there is a provider', async () => {
  const desk = await stack.empty()
  const answers: Response[] = []
  desk.page.on('response', (answer) => void answers.push(answer))
  const asked = desk.page.waitForResponse(/single-sign-on$/)
  await desk.page.goto('/console/review', { waitUntil: 'networkidle' })
  await asked
  const kindOf = (answer: Response) => new URL(answer.url()).pathname.replace(/^.*\/(\w+)-\w{8}\./, '$1.')
  expect(answers.map(kindOf).sort()).toEqual([
    '/console/api/session/single-sign-on',
    '/console/review',
    'inter.woff2',
    'start.css',
    'start.js',
  ])
  // Nothing that is painted waits for the font.
  const counted = answers.filter((answer) => !answer.url().endsWith('.woff2'))
  const sizes = await Promise.all(counted.map(async (answer) => (await answer.request().sizes()).responseBodySize))
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(20 * kib)
  await keepLooks(desk, 'log-in', ['narrow-dark', 'middle', 'wide'])
  await desk.context.close()
})

flow('before its script it is as after it, and its form is not sent', async () => {
  const shown = async (javaScriptEnabled: boolean) => {
    const context = await (await openBrowser()).newContext({ baseURL: stack.url, javaScriptEnabled })
    context.setDefaultTimeout(180_000)
    const page = await context.newPage()
    await page.goto('/console', { waitUntil: 'networkidle' })
    if (javaScriptEnabled) await page.locator('button[type=submit]').waitFor()
    const html = await page.locator('#app').innerHTML()
    await context.close()
    // Ids are made by the script.
    return html.replaceAll(/ (id|for|aria-labelledby)="[^"]*"/g, '').replaceAll(/=""/g, '')
  }
  const [before, after] = [await shown(false), await shown(true)]
  expect(before).not.toContain('type="submit"')
  expect(after).toBe(
    before.replace('<button type="button" class="button is-main"', '<button type="submit" class="button is-main"'),
  )
})

flow('what is typed before the script stays, and each label is of its field', async () => {
  const desk = await stack.empty()
  const { page } = desk
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/start-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/console/review', { waitUntil: 'commit' })
  await page.getByLabel('E-mail').fill(person.email)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(person.password)
  await password.press('Enter')
  expect(new URL(page.url()).search).toBe('')
  // The last thing that the script does at its start.
  const asked = page.waitForResponse('**/single-sign-on')
  release()
  await asked
  expect([await page.getByLabel('E-mail').inputValue(), await password.inputValue()]).toEqual([
    person.email,
    person.password,
  ])
  expect(await page.evaluate('document.activeElement.name')).toBe('password')
  await password.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Review queue' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/review')
  expect(desk.problems).toEqual([])
  await desk.context.close()
})

flow('it is in the middle, names its environment, and shows the password on request, by keyboard', async () => {
  const desk = await stack.empty()
  const { page } = desk
  await page.goto('/console')
  await page.getByText('sandbox', { exact: true }).waitFor()
  // Text is as high as its font makes it.
  await page.evaluate('document.fonts.ready.then(() => {})')
  const gate = await page.locator('.gate').boundingBox()
  const card = await page.locator('.gate-card').boundingBox()
  const brand = await page.locator('.gate-brand').boundingBox()
  if (!gate || !card || !brand) throw new Error('Nothing is shown')
  const left = card.x - gate.x
  expect(Math.abs(left - (gate.width - card.width - left))).toBeLessThanOrEqual(1)
  const [above, below] = [brand.y, 960 - card.y - card.height]
  expect(Math.abs(above - below)).toBeLessThanOrEqual(2)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('nine calm otters')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await password.getAttribute('type')).toBe('text')
  await keepLooks(desk, 'log-in-shown', ['narrow-dark', 'wide'])
  await page.getByRole('button', { name: 'Hide what is typed' }).press('Enter')
  expect([await password.getAttribute('type'), await password.inputValue()]).toEqual(['password', 'nine calm otters'])
  await page.getByLabel('E-mail').fill('')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('This is needed.').waitFor()
  await desk.context.close()
})

flow('who is logged in gets no log-in page, and who logs out does', async () => {
  const desk = await stack.seat(person, { own: true })
  const { page } = desk
  await page.goto('/console/review')
  await page.getByRole('heading', { level: 1, name: 'Review queue' }).waitFor()
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await page.locator('script[src*="start-"]').count()).toBe(1)
  await desk.context.close()
})
