// People come in and go: log-in, passwords, users, sessions. Everything by what is on the screen.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import { hasChromium } from './browser'
import { keepLooks } from './keep-looks'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'

let stack: ConsoleStack
beforeAll(async () => {
  if (hasChromium) stack = await openConsole()
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'wide'])

async function logIn({ page }: Desk, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

flow(
  'logging in by hand: a wrong password stays on the page, the right one opens the page that was asked for',
  async () => {
    const person = await stack.hire('viewer', 'Vera Lind')
    const desk = await stack.empty()
    const { page } = desk
    await page.goto('/console/sanctions')
    await logIn(desk, { ...person, password: 'wrong' })
    await page.getByText('The address or the password is wrong').waitFor()
    await keep(desk, 'log-in-refused')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sanctions' }).waitFor()
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await desk.context.close()
  },
)

flow('a forgotten password: the answer says nothing about who has an account', async () => {
  const desk = await stack.empty()
  const { page } = desk
  await page.goto('/console')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await keep(desk, 'forgotten')
  await page.getByLabel('E-mail').fill('nobody@bursar.example')
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.getByText('a mail is on its way').waitFor()
  await keep(desk, 'forgotten-sent')
  await page.getByRole('button', { name: 'Back to the log-in' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await desk.context.close()
})

flow('an administrator invites, changes and resets a user, who chooses another password', async () => {
  const admin = await stack.seat(administrator)
  const { page } = admin
  await page.goto('/console/users')
  await page.getByRole('button', { name: 'Invite a user' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Oskar Brandt')
  await page.getByLabel('E-mail').fill('oskar@bursar.example')
  await page.getByRole('dialog').getByLabel('Role', { exact: true }).selectOption({ label: 'Operator' })
  await keep(admin, 'invite')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('The invitation to oskar@bursar.example is on its way').first().waitFor()
  const token = await invitationTokenOf(stack.platform.env.DATA_DIR ?? stack.platform.dataDir, 'oskar@bursar.example')

  const own = await stack.empty()
  await own.page.goto(`/change-password#${token}`)
  const first = 'nine tall windmills'
  await own.page.getByLabel('New password').fill(first)
  await own.page.getByLabel('The same again').fill(first)
  await own.page.getByRole('button', { name: 'Set password' }).click()
  await own.page.getByRole('link', { name: 'open the console' }).click()
  await own.page.waitForLoadState()
  await logIn(own, { email: 'oskar@bursar.example', password: first })
  await own.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await own.page.getByRole('link', { name: 'Users' }).count()).toBe(0)

  await page.getByLabel('Name or address').fill('oskar')
  // The list follows a moment after: a dialog that is open then is closed by it.
  await page.waitForURL(/oskar/)
  await page.getByRole('button', { name: /Oskar Brandt/ }).click()
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.getByText('Chrome on').waitFor()
  await keep(admin, 'user')
  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByLabel('Role', { exact: true }).last().selectOption({ label: 'Viewer' })
  await keep(admin, 'change-role')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await page.getByText('The role is changed').first().waitFor()
  await page.getByRole('button', { name: 'Reset password' }).click()
  await keep(admin, 'reset')
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.getByText('Must change password').first().waitFor()

  // The session has ended with the role: the page stays behind a dialog.
  // Without a pointer: what the page reads by itself may have brought the dialog over the link.
  await own.page.getByRole('link', { name: 'Transactions' }).first().dispatchEvent('click')
  await own.page.getByText('Your session has ended').waitFor()
  await keep(own, 'ended')
  await own.page.getByLabel('Password', { exact: true }).fill(first)
  await own.page.getByRole('button', { name: 'Log in' }).click()
  await own.page.getByRole('heading', { name: 'Choose your password' }).waitFor()
  await keep(own, 'first-password')
  const next = 'eleven slow barges'
  await own.page.getByLabel('Current password').fill(first)
  await own.page.getByLabel('New password').fill(next)
  await own.page.getByLabel('The same again').fill('something else here')
  await own.page.getByRole('button', { name: 'Set password and go on' }).click()
  await own.page.getByText('The two new passwords are not the same').waitFor()
  await own.page.getByLabel('The same again').fill(next)
  await own.page.getByRole('button', { name: 'Set password and go on' }).click()
  await own.page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()

  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByText('No open session').waitFor()
  await admin.context.close()
  await own.context.close()
})

flow('somebody sees the own sessions, ends one, and changes the password', async () => {
  const person = await stack.hire('operator', 'Ines Moreau')
  const [here, there] = [await stack.seat(person, { own: true }), await stack.seat(person, { own: true })]
  const { page } = here
  await page.goto('/console')
  await page.getByRole('button', { name: /account of/ }).click()
  await keep(here, 'account-menu')
  await page.getByRole('button', { name: 'Your sessions' }).click()
  await page.getByText('This one').waitFor()
  await keep(here, 'own-sessions')
  const other = page.getByRole('dialog').locator('li').filter({ hasNotText: 'This one' })
  await other.getByRole('button', { name: /^End the session/ }).click()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByText('The session has ended').first().waitFor()
  await there.page.goto('/console')
  await there.page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByLabel('New password').fill('thirteen quiet herons')
  await page.getByLabel('The same again').fill('thirteen quiet herons')
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The password is changed').first().waitFor()
  await page.getByRole('link', { name: 'Transactions' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  await here.context.close()
  await there.context.close()
})
