// Institutions and custodian banks come in by the console alone: registered, reviewed by two persons, their first users
// invited, their first key issued. Everything by what is on the screen.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inOrder, until } from '@bursar/testing'
import type { Page } from 'playwright-core'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
let anna: Desk
let boris: Desk
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ FOUR_EYES_USD: '1000' })
  const seated = async (name: string) => stack.seat(await stack.hire('operator', name))
  ;[anna, boris] = await Promise.all([seated('Anna Berg'), seated('Boris Lund')])
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)
const steps = hasChromium ? inOrder : (title: string) => test.skip(title, () => {})
const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'middle', 'wide'])
const dialog = (page: Page) => page.getByRole('dialog')
const focused = (page: Page) => page.evaluate('document.activeElement.name')

/** Sets a password by the mail's link, and logs in with it as people do. */
async function comeIn(email: string): Promise<Desk> {
  const token = await invitationTokenOf(stack.platform.env.DATA_DIR ?? stack.platform.dataDir, email)
  const desk = await stack.empty()
  const { page } = desk
  const password = 'nine calm otters by the lock'
  await page.goto(`/change-password#${token}`)
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('The same again').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'open the console' }).click()
  await page.waitForLoadState()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  return desk
}

const institutions = async (): Promise<{ id: string; name: string }[]> =>
  (await stack.platform.to('main-api').get('/admin/pfi?limit=100')).body.data

steps('an institution, from its registration to its first key', (step) => {
  let id: string

  step('what is missing is said below its field, and nothing is sent', async () => {
    const { page } = anna
    await page.goto('/console/participants')
    await page.getByRole('button', { name: 'Register an institution' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Register' }).click()
    await dialog(page).getByText('This is needed.').first().waitFor()
    expect(await focused(page)).toBe('name')
    const name = dialog(page).getByLabel('Name', { exact: true })
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await keep(anna, 'register-institution')
    await name.fill('Fjord Pay')
    expect(await name.getAttribute('aria-invalid')).toBe('false')
    await dialog(page).getByLabel('E-mail of its first user').fill('nobody')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Write an address such as name@bank.example.').waitFor()
    expect(await focused(page)).toBe('email')
    expect(await institutions()).toEqual([])
  })

  step('an operator registers it', async () => {
    const { page } = anna
    const fields = {
      'E-mail of its first user': 'treasury@fjord.example',
      'Registration number': '923609016',
      Street: 'Havnegata 7',
      City: 'Bergen',
      'Postal code': '5003',
    }
    for (const [label, text] of Object.entries(fields)) await dialog(page).getByLabel(label).fill(text)
    await dialog(page).getByLabel('Registered in').selectOption({ label: 'Norway' })
    await dialog(page).getByLabel('Business').selectOption({ label: 'E-money institution' })
    await dialog(page).getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fjord Pay' }).waitFor()
    const [made] = await institutions()
    id = made?.id ?? ''
    expect(page.url()).toEndWith(`/console/participants/${id}`)
    expect(made).toMatchObject({
      name: 'Fjord Pay',
      email: 'treasury@fjord.example',
      country: 'NO',
      businessType: 'EMONEY_INSTITUTION',
      registrationNumber: '923609016',
      address: { street: 'Havnegata 7', city: 'Bergen', zipCode: '5003', country: 'NO' },
    })
  })

  step('and hands in its documents: what the service would refuse is said before', async () => {
    const { page } = anna
    await page.getByRole('button', { name: 'Upload' }).click()
    await dialog(page).getByRole('button', { name: 'Upload' }).click()
    await dialog(page).getByText('Choose a file.').waitFor()
    const file = dialog(page).getByLabel('File')
    const choose = (name: string, mimeType: string, text: string) =>
      file.setInputFiles({ name, mimeType, buffer: Buffer.from(text) })
    await choose('notes.txt', 'text/plain', 'notes')
    await dialog(page).getByText('The file is not a PDF, PNG or JPEG.').waitFor()
    await choose('empty.pdf', 'application/pdf', '')
    await dialog(page).getByText('The file is empty.').waitFor()
    await keep(anna, 'upload-refused')
    await choose('licence.pdf', 'application/pdf', '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF')
    await dialog(page).getByText('The file is empty.').waitFor({ state: 'detached' })
    await dialog(page).getByText('licence.pdf').waitFor()
    await dialog(page).getByLabel('What it is').fill('LICENCE')
    await keep(anna, 'upload')
    await dialog(page).getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('link', { name: 'Save licence.pdf' }).waitFor()
  })

  step('another person approves it, not who registered it', async () => {
    const { page } = anna
    await page.getByText('another person must approve it').waitFor()
    await page.getByRole('button', { name: 'Reject' }).waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await keep(anna, 'registered-by-me')
    const own = await page.request.put(`${stack.url}/console/api/main/v1/admin/pfi/${id}/status`, {
      data: { status: 'APPROVED' },
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: stack.url },
    })
    expect([own.status(), (await own.json()).error.code]).toEqual([409, 'REGISTERED_BY_SAME_PERSON'])
    await boris.page.goto(`/console/participants/${id}`)
    await boris.page.getByText('Anna Berg').first().waitFor()
    await boris.page.getByRole('button', { name: 'Approve' }).press('Enter')
    await dialog(boris.page).getByLabel('Comment').fill('Licence seen')
    await dialog(boris.page).getByRole('button', { name: 'Approve' }).click()
    await boris.page.getByRole('button', { name: 'Pause' }).waitFor()
    await until(async () => (await stack.platform.to('participant').get(`/participants/${id}`)).status === 200)
  })

  step('its first user comes in by the mail, and is shown the first key once', async () => {
    const desk = await comeIn('treasury@fjord.example')
    const { page } = desk
    await page.getByRole('heading', { level: 1, name: 'Fjord Pay' }).waitFor()
    await page
      .getByRole('link', { name: /API key/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Issue a key' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Issue' }).click()
    const key = (await dialog(page).locator('code').textContent()) ?? ''
    expect(key).toMatch(/^sk_test_\w{43}$/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText(`sk_test_…${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
    expect(desk.problems).toEqual([])
    await desk.context.close()
  })
})

flow('a custodian bank: an administrator registers it with its first user, who comes in by the mail', async () => {
  const desk = await stack.seat(administrator)
  const { page } = desk
  await page.goto('/console/participants?tab=custodians')
  await settledPage(page)
  await page.getByRole('button', { name: 'Register a custodian bank' }).press('Enter')
  await dialog(page).getByLabel('Name', { exact: true }).fill('Summit Trust')
  await dialog(page).getByLabel('Country').selectOption({ label: 'United States' })
  await dialog(page).getByLabel('Custody').check()
  await dialog(page).getByLabel('E-mail').fill(administrator.email)
  await keep(desk, 'register-custodian')
  // The address is taken: the bank is there, and is not registered twice.
  await dialog(page).getByRole('button', { name: 'Register' }).click()
  await dialog(page).getByText('Not carried out.').waitFor()
  await dialog(page).getByLabel('E-mail').fill('desk@summit.example')
  await dialog(page).getByLabel('Person’s name').fill('Cora Summit')
  await dialog(page).getByRole('button', { name: 'Register' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'Summit Trust' }).waitFor()
  const { body } = await stack.platform.to('main-api').get('/admin/custodian-bank')
  expect(body.data).toMatchObject([{ name: 'Summit Trust', country: 'US', services: ['CUSTODY'], status: 'ACTIVE' }])
  await keep(desk, 'custodians')
  const own = await comeIn('desk@summit.example')
  await own.page.getByRole('heading', { level: 1, name: 'Summit Trust' }).waitFor()
  await own.context.close()
  await desk.context.close()
})

flow('an operator registers no bank, and a viewer nothing', async () => {
  await anna.page.goto('/console/participants?tab=custodians')
  await settledPage(anna.page)
  expect(await anna.page.getByRole('button', { name: /^Register/ }).count()).toBe(0)
  const viewer = await stack.seat(await stack.hire('viewer', 'Vera Look'))
  await viewer.page.goto('/console/participants')
  await settledPage(viewer.page)
  expect(await viewer.page.getByRole('button', { name: /^Register/ }).count()).toBe(0)
  await viewer.context.close()
})
