// Logging in to the console through the deployment's own provider, which is a real one, on another site than the console.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { OpenIdProvider } from '@bursar/testing/openid-provider'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { openProvided, type Provided } from './provided'
import { administrator, type ConsoleStack, type Desk } from './stack'

let provided: Provided
let provider: OpenIdProvider
let stack: ConsoleStack
beforeAll(async () => {
  if (!hasChromium) return
  provided = await openProvided({ OIDC_CREATE_USERS: 'on' }, ['gateway', 'identity-manager', 'core-ledger'])
  ;({ provider, stack } = provided)
})
afterAll(() => provided?.close())

const flow = test.skipIf(!hasChromium)

const link = ({ page }: Desk) => page.getByRole('button', { name: 'Sign in with Harbour ID' })
const anna = (roles: string[]) => {
  const email = 'anna.berg@harbour.example'
  provider.knows({ sub: 'anna', claims: { email, email_verified: true, name: 'Anna Berg', roles } })
}

flow(
  'there and back: to the page that was asked for, with the cookies of any log-in, and nothing left in the address',
  async () => {
    anna(['desk-ops'])
    const desk = await stack.empty()
    await desk.page.goto('/console/transactions?status=FROZEN')
    await link(desk).waitFor()
    await keepLooks(desk, 'single-sign-on', ['narrow-dark', 'wide'])
    await link(desk).click()
    await desk.page.getByRole('button', { name: /account of/ }).waitFor()
    expect(new URL(desk.page.url()).pathname + new URL(desk.page.url()).search).toBe(
      '/console/transactions?status=FROZEN',
    )
    const cookies = (await desk.context.cookies(stack.url)).filter(({ name }) => name.startsWith('__Host-'))
    expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session'])
    for (const { httpOnly, secure, sameSite } of cookies)
      expect([httpOnly, secure, sameSite]).toEqual([true, true, 'Strict'])
    await desk.page.goBack()
    expect(desk.page.url()).not.toContain('code=')
  },
)

flow('an administrator sees the account of a user, and takes it away', async () => {
  const own = { sub: 'ida', claims: { email: 'ida@harbour.example', name: 'Ida Lund', roles: ['desk-ops'] } }
  provider.knows(own)
  const ida = await stack.empty()
  await ida.page.goto('/console')
  await link(ida).click()
  await ida.page.getByRole('button', { name: /account of/ }).waitFor()
  const desk = await stack.seat(administrator)
  await desk.page.goto('/console/users?q=ida')
  await desk.page.getByText('Ida Lund').first().click()
  const card = desk.page.getByRole('region', { name: 'Single sign-on' })
  await card.getByText(provider.issuer).waitFor()
  await keepLooks(desk, 'user-single-sign-on', ['narrow-dark', 'wide'])
  await card.getByRole('button', { name: 'Unlink the account' }).click()
  await desk.page.getByRole('button', { name: 'Unlink', exact: true }).click()
  await desk.page.getByText('Ida Lund no longer has a provider account').first().waitFor()
  await card.waitFor({ state: 'detached' })
  // Nobody finds her by an address here: the settings do not allow it.
  const again = await stack.empty()
  await again.page.goto('/console')
  await link(again).click()
  await again.page.getByText('No user here logs in by your account at Harbour ID').waitFor()
})

flow('somebody without a role reads so on the log-in page, and logs in by password from there', async () => {
  anna(['cooks'])
  const desk = await stack.empty()
  await desk.page.goto('/console')
  await link(desk).press('Enter')
  await desk.page.getByText('Your account at Harbour ID has no role here: ask an administrator').waitFor()
  expect(new URL(desk.page.url()).search).toBe('')
  await desk.page.getByLabel('E-mail').fill(administrator.email)
  await desk.page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await desk.page.keyboard.press('Enter')
  await desk.page.getByRole('button', { name: /account of/ }).waitFor()
})

flow('a return that nobody has begun here logs nobody in', async () => {
  const desk = await stack.empty()
  await desk.page.goto('/console/single-sign-on?code=x&state=y')
  await desk.page.getByText('This browser has begun no log-in through the provider').waitFor()
  expect(new URL(desk.page.url()).pathname).toBe('/console')
})
