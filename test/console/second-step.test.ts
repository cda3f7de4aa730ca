// The own second factor where the first step is another one than the log-in page's: the deployment's own provider, and
// the dialog over a page whose session has ended.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { OpenIdProvider } from '@bursar/testing/openid-provider'
import { hasChromium } from './browser'
import { openProvided, type Provided } from './provided'
import { focused, setUpCodes, usePasskey, withPasskey } from './second-factor-desk'
import { settledPage } from './settled-page'
import type { ConsoleStack, Desk, Person } from './stack'

let provided: Provided
let provider: OpenIdProvider
let stack: ConsoleStack
beforeAll(async () => {
  if (!hasChromium) return
  provided = await openProvided({ OIDC_LINK_BY_EMAIL: 'on' }, [
    'gateway',
    'identity-manager',
    'main-api',
    'core-ledger',
  ])
  ;({ provider, stack } = provided)
})
afterAll(() => provided?.close())

const flow = test.skipIf(!hasChromium)
const frozen = '/console/transactions?status=FROZEN'
const placeOf = ({ page }: Desk) => new URL(page.url()).pathname + new URL(page.url()).search
const hasSession = async ({ context }: Desk) => (await context.cookies()).some(({ name }) => name === '__Host-session')

/** Comes back from the provider, which has seen a password and no second factor. */
async function logInThere(desk: Desk, { email }: Person) {
  const claims = { email, email_verified: true, name: 'Tora Holm', roles: ['desk-ops'] }
  provider.knows({ sub: email, claims, amr: ['pwd'] })
  await desk.page.goto(frozen)
  await desk.page.getByRole('button', { name: 'Sign in with Harbour ID' }).click()
}

flow('a code is asked for after the provider, and the page that was asked for comes behind it', async () => {
  const person = await stack.hire('operator', 'Tora Holm')
  const desk = await stack.seat(person, { own: true })
  const codes = await setUpCodes(desk, person)
  const other = await stack.empty()
  await logInThere(other, person)
  const code = other.page.getByLabel('Code', { exact: true })
  await code.waitFor()
  expect(await hasSession(other)).toBe(false)
  expect(placeOf(other)).toBe(frozen)
  // One in 300,000 times it is right.
  await code.fill('000000')
  await other.page.getByRole('button', { name: 'Go on' }).click()
  await other.page.getByText('The code is wrong').waitFor()
  expect(await hasSession(other)).toBe(false)
  await code.fill(codes(1))
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  expect(await hasSession(other)).toBe(true)
  expect(placeOf(other)).toBe(frozen)
  for (const { context } of [desk, other]) await context.close()
})

flow('a passkey is asked for after the provider', async () => {
  const { person, desk } = await withPasskey(stack, 'Ida Moe')
  await desk.context.clearCookies()
  await logInThere(desk, person)
  await usePasskey(desk).waitFor()
  expect(await hasSession(desk)).toBe(false)
  await usePasskey(desk).click()
  await desk.page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  await desk.context.close()
})

flow('the session ends in mid-work: a passkey opens the next one, and the page stays', async () => {
  const { person, desk, authenticator } = await withPasskey(stack, 'Nils Berg')
  const { page } = desk
  await page.goto(frozen)
  await settledPage(page)
  const ended = await page.request.delete(`${stack.url}/console/api/session?everywhere=true`, {
    headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' },
  })
  expect(ended.status()).toBe(200)
  await page.getByLabel('Status').selectOption('FAILED')
  const logIn = page.getByRole('dialog', { name: 'Your session has ended' })
  await logIn.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await focused(desk, 'Use a passkey')
  await authenticator.see(false)
  await page.keyboard.press('Enter')
  await logIn.getByText('No passkey was used').waitFor()
  expect(await hasSession(desk)).toBe(false)
  await authenticator.see(true)
  await logIn.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await logIn.waitFor({ state: 'detached' })
  expect(await hasSession(desk)).toBe(true)
  expect(placeOf(desk)).toBe('/console/transactions?status=FAILED')
  await page.getByText('No transaction matches these filters').waitFor()
  await desk.context.close()
})
