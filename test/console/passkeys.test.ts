// Passkeys in the console, with Chromium's own authenticator: added, asked for at the log-in and for large decisions, as codes
// are, removed, lost. The console is opened as localhost: browsers make passkeys for names alone.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import type { SeededIds } from '../../scripts/seed/seed'
import { hasChromium } from './browser'
import {
  addFirst,
  dialog,
  focused,
  keep,
  letAge,
  logIn,
  openOwn,
  setUpCodes,
  usePasskey,
  withPasskey,
} from './second-factor-desk'
import { frozenDeposit, ratedSeedOf } from './seeded'
import { settledPage } from './settled-page'
import { administrator, type ConsoleStack, type Desk, openConsole } from './stack'
import { type Credential, virtualAuthenticator } from './virtual-authenticator'

const host = 'localhost'
let stack: ConsoleStack
let seeded: SeededIds
beforeAll(async () => {
  if (!hasChromium) return
  stack = await openConsole({ FOUR_EYES_USD: '1000' }, { host })
  seeded = await ratedSeedOf(stack)
})
afterAll(() => stack?.close())

const flow = test.skipIf(!hasChromium)

flow('added by choice, and the log-in asks for it: by keyboard alone', async () => {
  const { person, desk, codes, passkeys } = await withPasskey(stack, 'Tora Holm')
  const other = await stack.empty()
  await virtualAuthenticator(other, passkeys)
  await other.page.goto('/console/sanctions')
  await logIn(other, person)
  await focused(other, 'Use a passkey')
  await keep(other, 'log-in-passkey')
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { level: 1, name: 'Sanctions' }).waitFor()
  // Lost: a recovery code does.
  const later = await stack.empty()
  await virtualAuthenticator(later)
  await later.page.goto('/console/sanctions')
  await logIn(later, person)
  await usePasskey(later).click()
  await later.page.getByText('No passkey was used').waitFor()
  await later.page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await later.page.keyboard.press('Enter')
  await later.page.getByRole('heading', { level: 1, name: 'Sanctions' }).waitFor()
  expect([...desk.problems, ...other.problems, ...later.problems]).toEqual([])
  for (const { context } of [desk, other, later]) await context.close()
})

flow('what was signed before, by another key, or without the finger opens nothing', async () => {
  const { person, desk, passkeys } = await withPasskey(stack, 'Ida Moe')
  const [known] = passkeys as [Credential]
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const foreign = { ...known, privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') }
  const other = await stack.empty()
  const theirs = await virtualAuthenticator(other, [foreign])
  await other.page.goto('/console/sanctions')
  await logIn(other, person)
  await usePasskey(other).click()
  await other.page.getByText('The passkey is not one of yours').waitFor()
  await keep(other, 'log-in-passkey-refused')
  await theirs.see(false)
  await usePasskey(other).click()
  await other.page.getByText('No passkey was used').waitFor()
  await theirs.see(true)
  await theirs.clear()
  await usePasskey(other).click()
  await other.page.getByText('No passkey was used').waitFor()
  const own = await stack.empty()
  await virtualAuthenticator(own, passkeys)
  await own.page.goto('/console/sanctions')
  await logIn(own, person)
  // Chromium tells the body of a `Request` where it asks whether to send it.
  await own.page.route('**/session/code', (route) => route.continue())
  const sent = own.page.waitForRequest((request) => request.url().endsWith('/session/code'))
  await usePasskey(own).click()
  const answer: object = (await sent).postDataJSON()
  await own.page.getByRole('heading', { level: 1, name: 'Sanctions' }).waitFor()
  const headers = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: stack.url }
  const post = (path: string, data: object) =>
    other.context.request.post(`/console/api/session${path}`, { data, headers })
  expect((await post('/code', answer)).status()).toBe(401)
  const { challenge } = await (await post('', person)).json()
  await post('/code/options', { challenge })
  expect((await post('/code', { ...answer, challenge })).status()).toBe(401)
  expect((await other.context.cookies()).filter(({ name }) => name.endsWith('session'))).toEqual([])
  for (const { context } of [desk, other, own]) await context.close()
})

flow('a second one is added by the first, one is removed, and each has its name', async () => {
  const { person, desk, authenticator, codes } = await withPasskey(stack, 'Nils Berg')
  const { page } = desk
  await openOwn(desk)
  const list = page.getByRole('list', { name: 'Your passkeys' })
  await list.getByText('Blue key').waitFor()
  await list.getByText('not used yet').waitFor()
  await keep(desk, 'passkeys-own')
  await page.getByRole('button', { name: 'Add another' }).click()
  await page.getByLabel('A passkey').check()
  await page.getByLabel('Your password').fill(person.password)
  await keep(desk, 'passkeys-add')
  await usePasskey(desk).click()
  await page.getByLabel('Name of the passkey').fill('Spare')
  await page.getByRole('button', { name: 'Add the passkey' }).click()
  await page.getByText('You already have a passkey on this device.').waitFor()
  // On another device there is none.
  await authenticator.clear()
  await page.getByRole('button', { name: 'Add the passkey' }).click()
  await page.getByText('The second factor is set up').first().waitFor()

  await openOwn(desk)
  await list.getByText('Spare').waitFor()
  await page.getByRole('button', { name: 'Remove the passkey Blue key' }).click()
  await dialog(desk).getByRole('heading', { name: 'Remove the passkey “Blue key”?' }).waitFor()
  await keep(desk, 'passkey-remove')
  await page.getByLabel('Your password').fill('wrong one altogether')
  await usePasskey(desk).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Your password').fill(person.password)
  await usePasskey(desk).click()
  await page.getByText('The passkey is removed').first().waitFor()
  await list.getByText('Blue key').waitFor({ state: 'detached' })
  expect(await list.getByRole('listitem').count()).toBe(1)
  // With the last one the recovery codes go too.
  await page.getByRole('button', { name: 'Remove the passkey Spare' }).click()
  await page.getByLabel('Your password').fill(person.password)
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await dialog(desk).getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByLabel('An authenticator').waitFor()
  const later = await stack.empty()
  await later.page.goto('/console/sanctions')
  await logIn(later, person)
  await later.page.getByRole('heading', { level: 1, name: 'Sanctions' }).waitFor()
  expect([...desk.problems, ...later.problems]).toEqual([])
  for (const { context } of [desk, later]) await context.close()
})

/** Presses what approves a deposit that takes two persons; its id. */
async function approveAsFirst(desk: Desk): Promise<string> {
  const { page } = desk
  const id = await frozenDeposit(stack, seeded, '2500')
  await page.goto(`/console/review?id=${id}`)
  await settledPage(page)
  await page.getByText('It takes two persons').waitFor()
  await page.keyboard.press('a')
  await dialog(desk).getByRole('textbox').fill('Known to us')
  await dialog(desk).getByRole('button', { name: 'Approve as the first' }).click()
  return id
}

const approvalsOf = async (id: string): Promise<unknown[]> =>
  (await stack.platform.to('core-ledger').get(`/transactions/${id}/decisions`)).body

flow('a decision that takes two persons asks for it anew', async () => {
  const { desk, authenticator } = await withPasskey(stack, 'Finn Dahl')
  const { page, context } = desk
  await letAge(stack, desk)
  const id = await approveAsFirst(desk)
  await focused(desk, 'Use a passkey')
  await keep(desk, 'passkey-asked')
  await authenticator.see(false)
  await page.keyboard.press('Enter')
  await dialog(desk).getByText('No passkey was used').waitFor()
  expect(await approvalsOf(id)).toHaveLength(0)
  // What was not shown is no refusal of the decision.
  expect(await page.getByText('Show the transaction').count()).toBe(0)
  await authenticator.see(true)
  // Shown is shown: what is refused afterwards for another reason does not ask again.
  const path = `**/transactions/${id}/approve-frozen-deposit`
  await page.route(path, (route) => route.fulfill({ status: 409, json: { message: 'The ledger is busy' } }))
  await usePasskey(desk).press('Enter')
  await dialog(desk).getByText('The ledger is busy').waitFor()
  expect(await usePasskey(desk).count()).toBe(0)
  await page.unroute(path)
  await dialog(desk).getByRole('button', { name: 'Approve as the first' }).click()
  await dialog(desk).waitFor({ state: 'detached' })
  await page.getByText('1 of 2').first().waitFor()
  expect(await approvalsOf(id)).toMatchObject([{ decision: 'PROPOSED', note: 'Known to us' }])
  await context.close()
})

flow('a decision that takes two persons asks for a fresh code', async () => {
  const person = await stack.hire('operator', 'Lars Dahl')
  const desk = await stack.seat(person, { own: true })
  const { page, context } = desk
  const codes = await setUpCodes(desk, person)
  await letAge(stack, desk)
  const id = await approveAsFirst(desk)
  const code = dialog(desk).getByLabel('Code of your second factor')
  await code.waitFor()
  await keep(desk, 'second-factor-asked')
  expect(await approvalsOf(id)).toHaveLength(0)
  // One in 300,000 times it is right.
  await code.fill('000000')
  await dialog(desk).getByRole('button', { name: 'Approve as the first' }).click()
  await dialog(desk).getByText('The code is wrong').waitFor()
  expect(await approvalsOf(id)).toHaveLength(0)
  await code.fill(codes(1))
  await dialog(desk).getByRole('button', { name: 'Approve as the first' }).click()
  await dialog(desk).waitFor({ state: 'detached' })
  await page.getByText('1 of 2').first().waitFor()
  expect(await approvalsOf(id)).toMatchObject([{ decision: 'PROPOSED', note: 'Known to us' }])
  await context.close()
})

flow('many payments ask for it once, and those that wait go on', async () => {
  const manager = stack.platform.to('transaction-manager')
  const { from, to } = (await manager.get(`/transactions/${seeded.payment}`)).body.data
  const parties = { fromParticipantBankId: from.participantBankId, toParticipantBankId: to.participantBankId }
  const transfers = ['2000', '12', '3000'].map((amount, i) => ({
    ...parties,
    amount,
    currency: 'USD',
    reference: `BULK-${i}`,
  }))
  const made = await manager.post('/transfer/execute-many-send-payment', { transfers })
  expect(made.body.data.map(({ error }: { error: unknown }) => error ?? null)).toEqual([null, null, null])
  const statuses = async () => {
    const rows = await Promise.all(
      transfers.map(({ reference }) => manager.get(`/transactions?reference=${reference}`)),
    )
    return rows.map(({ body }) => body.data[0].status)
  }
  const largeOnes = async () => (await statuses()).filter((_, i) => i !== 1)
  const { desk, authenticator } = await withPasskey(stack, 'Gro Vik')
  await letAge(stack, desk)
  const { page } = desk
  await page.goto('/console/bank?type=TRANSFER&status=PENDING')
  await settledPage(page)
  await page
    .getByLabel(/^Select Transfer/)
    .first()
    .check()
  await page.getByRole('button', { name: /^Select all/ }).click()
  await page.getByRole('region', { name: 'Selected payments' }).getByRole('button', { name: 'Approve' }).click()
  await dialog(desk)
    .getByRole('button', { name: /^Approve \d payments/ })
    .click()
  await dialog(desk).getByText('The remaining ones need your second factor.').waitFor()
  await keep(desk, 'passkey-many')
  expect(await largeOnes()).toEqual(['PENDING', 'PENDING'])
  await authenticator.see(false)
  await focused(desk, 'Use a passkey')
  await page.keyboard.press('Enter')
  await dialog(desk).getByText('No passkey was used').waitFor()
  expect(await largeOnes()).toEqual(['PENDING', 'PENDING'])
  await authenticator.see(true)
  await usePasskey(desk).press('Enter')
  await dialog(desk).waitFor({ state: 'detached' })
  await page
    .getByText(/payments approved/)
    .first()
    .waitFor()
  expect(await statuses()).toEqual(['APPROVED', 'APPROVED', 'APPROVED'])
  expect(desk.problems).toEqual([])
  await desk.context.close()
})

flow('a page without a name has none, and says where they work', async () => {
  const numbered = stack.url.replace(host, '127.0.0.1')
  const where = `Passkeys work at ${stack.url}/console.`
  const { person, desk, codes } = await withPasskey(stack, 'Una Lie')
  const there = await stack.empty()
  const { page } = there
  await page.goto(`${numbered}/console`)
  await logIn(there, person)
  await page.getByText(where).waitFor()
  expect(await usePasskey(there).count()).toBe(0)
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await openOwn(there)
  await page.getByRole('button', { name: 'Add another' }).click()
  await page.getByText(where).first().waitFor()
  expect(await page.getByLabel('A passkey').isDisabled()).toBe(true)
  for (const { context } of [desk, there]) await context.close()
})

flow('in production it satisfies what an administrator must set up', async () => {
  const production = await openConsole({ ENVIRONMENT: 'production' }, { host, names: ['gateway', 'identity-manager'] })
  const desk = await production.empty()
  await virtualAuthenticator(desk)
  await desk.page.goto('/console/users')
  await logIn(desk, administrator)
  await desk.page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  await keep(desk, 'passkey-forced')
  await addFirst(desk, administrator, 'Desk')
  await desk.page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  await production.close()
})
