// Who holds what, and who takes part: accounts, customers, institutions. Everything by what is on the screen.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { type ConsoleStack, type Desk, openConsole, type Person } from './stack'

let stack: ConsoleStack
let operator: Person
let viewer: Person
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole()
  ;[operator, viewer] = await Promise.all([stack.hire('operator', 'Olga Reuter'), stack.hire('viewer', 'Vera Lind')])
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'middle', 'wide'])

const account = (name: string, fields: object = {}) =>
  stack.platform.to('account').create('/accounts', { type: 'STABLECOINS', status: 'active', name, ...fields })

const institution = (name: string, email: string) => ({
  name,
  email,
  country: 'NO',
  businessType: 'BANK',
  registrationNumber: `NO ${name}`,
  address: { street: 'Havnegata 7', city: 'Bergen', zipCode: '5003', country: 'NO' },
})

flow(
  'an account is found by a word of its name, suspended with a reason, and the history says who did it',
  async () => {
    const customer = await stack.platform
      .to('customer')
      .create('/customers', { externalId: 'northern-herring', status: 'active' })
    await account('Herring float', { customerId: customer.id })
    await account('Cod float')
    const desk = await stack.seat(operator)
    const { page } = desk
    await page.goto('/console/accounts')
    await page.getByLabel('Name, external id, address or id').fill('herring')
    await page.waitForURL((url) => url.searchParams.get('q') === 'herring')
    await page.getByRole('link', { name: 'Cod float' }).waitFor({ state: 'detached' })
    await keep(desk, 'accounts')
    await page.getByRole('link', { name: 'Herring float' }).click()
    await page.getByRole('heading', { level: 1, name: 'Herring float' }).waitFor()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    expect(await page.getByRole('dialog').isVisible()).toBe(true)
    await page.getByLabel('Reason').fill('A court order of 9 March')
    await keep(desk, 'suspend')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('A court order of 9 March').waitFor()
    await history.getByText('by you').waitFor()
    await page.getByRole('button', { name: 'Activate' }).waitFor()
    await keep(desk, 'account')
    await page.getByRole('link', { name: 'northern-herring' }).click()
    await page.getByRole('heading', { level: 1, name: 'northern-herring' }).waitFor()
    await page.getByRole('link', { name: 'Herring float' }).waitFor()
    await keep(desk, 'customer')
    await desk.context.close()
  },
)

flow('a viewer sees accounts and institutions, and no button that changes one', async () => {
  const { id } = await account('For the viewer')
  const desk = await stack.seat(viewer)
  const { page } = desk
  await page.goto(`/console/accounts/${id}`)
  await page.getByRole('heading', { level: 1, name: 'For the viewer' }).waitFor()
  await page.getByRole('region', { name: 'About' }).waitFor()
  expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
  await desk.context.close()
})

flow('an institution: its invitation is refused and repeated, a document handed in, its review decided', async () => {
  const { id } = await stack.platform.to('main-api').create('/participants', institution('Fjord Pay', operator.email))
  const desk = await stack.seat(operator)
  const { page } = desk
  await page.goto('/console/participants?status=NOT_STARTED')
  await page.getByRole('link', { name: 'Fjord Pay' }).waitFor()
  await keep(desk, 'participants')
  await page.getByRole('link', { name: 'Fjord Pay' }).click()
  await page.getByText('Its first user was not invited.').waitFor()
  await keep(desk, 'onboarding')
  await page.getByRole('button', { name: 'Invite again' }).click()
  await page.getByLabel('E-mail').fill('treasury@fjord.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Its first user was not invited.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByLabel('What it is').fill('LICENCE')
  const buffer = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF')
  await page.getByLabel('File').setInputFiles({ name: 'licence.pdf', mimeType: 'application/pdf', buffer })
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  await page.getByText('licence.pdf').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save licence.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('licence.pdf')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByLabel('Comment').fill('Licence seen')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('region', { name: 'History' }).getByText('Licence seen').waitFor()
  await keep(desk, 'institution')
  await until(async () => (await stack.platform.to('participant').get(`/participants/${id}`)).status === 200)
  await desk.context.close()
})

flow('its own people see their institution alone, and get their key once', async () => {
  const email = 'own@fjord.example'
  const main = stack.platform.to('main-api')
  const { id } = await main.create('/participants', institution('Own Pay', email))
  const other = await account('Of nobody they know')
  await main.ask('PUT', `/admin/pfi/${id}/status`, { status: 'APPROVED' })
  const token = await invitationTokenOf(stack.platform.env.DATA_DIR ?? stack.platform.dataDir, email)
  const password = 'nine calm otters by the lock'
  await stack.platform.to('identity-manager').post(`/auth/change-password/${token}`, { password })
  await until(async () => (await stack.platform.to('participant').get(`/participants/${id}`)).status === 200)
  const customers = [
    {
      externalId: 'own-retail',
      status: 'active',
      accounts: [{ type: 'STABLECOINS', status: 'active', name: 'Retail float' }],
    },
  ]
  const participants = stack.platform.to('participant')
  await participants.ask('PATCH', `/participants/${id}`, { customers })
  const made = async () => (await participants.get(`/participants/${id}`)).body.customers[0]?.accounts[0]
  await until(made, { what: 'its account' })
  const desk = await stack.seat({ email, password })
  const { page } = desk
  await page.goto('/console/institution')
  await page.getByRole('heading', { level: 1, name: 'Own Pay' }).waitFor()
  await page.getByRole('link', { name: 'own-retail' }).waitFor()
  await keep(desk, 'own-institution')
  await page.getByRole('link', { name: 'All keys' }).click()
  await page.getByText('Your institution has no API key yet').waitFor()
  await keep(desk, 'no-key')
  await page.getByRole('button', { name: 'Issue a key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
  const key = await page.getByRole('dialog').locator('code').textContent()
  expect(key).toMatch(/^sk_test_\w{43}$/)
  await keep(desk, 'issued-key')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByText(`sk_test_…${key?.slice(-4)}`).waitFor()
  expect(await page.content()).not.toContain(key ?? 'no key')
  await page.goto('/console/webhooks')
  await page.getByText('Use the button above to register the URL that events go to.').waitFor()
  await page.getByRole('button', { name: 'Register an endpoint' }).click()
  await keep(desk, 'register-endpoint')
  await page.getByLabel('URL').fill('https://own-pay.example/hooks')
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await keep(desk, 'endpoint-secret')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('link', { name: 'https://own-pay.example/hooks' }).waitFor()
  await page.goto('/console/accounts')
  await page.getByRole('link', { name: 'Retail float' }).waitFor()
  expect(await page.getByRole('link', { name: 'Of nobody they know' }).count()).toBe(0)
  await page.goto(`/console/accounts/${other.id}`)
  await page.getByRole('alert').waitFor()
  expect(await page.getByText('Of nobody they know').count()).toBe(0)
  await desk.context.close()
})
