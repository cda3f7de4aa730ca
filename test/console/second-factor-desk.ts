// What people do at a desk with a second factor: a passkey, or codes.
import { expect } from 'bun:test'
import { age } from '../../services/gateway/test/console-harness'
import { authenticator } from './authenticator'
import { eventually } from './eventually'
import { keepLooks } from './keep-looks'
import type { ConsoleStack, Desk, Person } from './stack'
import { virtualAuthenticator } from './virtual-authenticator'

export const keep = (desk: Desk, name: string) => keepLooks(desk, name, ['narrow-dark', 'wide'])
export const dialog = ({ page }: Desk) => page.getByRole('dialog')
export const usePasskey = ({ page }: Desk) => page.getByRole('button', { name: 'Use a passkey' })

/** Waits until the text of the focused element begins with these words. */
export const focused = ({ page }: Desk, words: string) =>
  eventually(async () => expect(await page.evaluate('document.activeElement?.textContent')).toStartWith(words))

/** The password is right; a second factor is asked for next. */
export async function logIn({ page }: Desk, { email, password }: Person) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

export async function openOwn(desk: Desk) {
  await desk.page.getByRole('button', { name: /account of/ }).click()
  await desk.page.getByRole('button', { name: 'Second factor' }).click()
  await dialog(desk).getByRole('heading', { name: 'Your second factor' }).waitFor()
}

/** From the choice to the recovery codes, by keyboard alone. */
export async function addFirst(desk: Desk, { password }: Person, name: string): Promise<string[]> {
  const { page } = desk
  await page.getByLabel('An authenticator').focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.getByLabel('A passkey').isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  // What is typed goes to what has the focus.
  await page.getByLabel('Name of the passkey').and(page.locator(':focus')).waitFor()
  await keep(desk, 'passkey-name')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have kept them' }).press('Enter')
  return codes
}

/** Some minutes pass: the last second factor is no longer fresh. */
export async function letAge(stack: ConsoleStack, { context }: Desk) {
  const session = (await context.cookies()).find(({ name }) => name.endsWith('session'))
  await age(stack, `${session?.name}=${session?.value}`)
}

/** A person at a desk with a passkey and its recovery codes. */
export async function withPasskey(stack: ConsoleStack, name: string) {
  const person = await stack.hire('operator', name)
  const desk = await stack.seat(person, { own: true })
  const own = await virtualAuthenticator(desk)
  await desk.page.goto('/console')
  await openOwn(desk)
  const codes = await addFirst(desk, person, 'Blue key')
  await desk.page.getByText('The second factor is set up').first().waitFor()
  return { person, desk, authenticator: own, codes, passkeys: await own.credentials() }
}

/** The codes of an authenticator that the person has set up. */
export async function setUpCodes(desk: Desk, { password }: Person) {
  const { page } = desk
  await page.goto('/console')
  await openOwn(desk)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Go on' }).click()
  const code = page.getByLabel('The code that it shows now')
  await code.waitFor()
  const codes = authenticator((await page.locator('code').first().textContent()) ?? '')
  await code.fill(codes(0))
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('The second factor is set up').first().waitFor()
  return codes
}
