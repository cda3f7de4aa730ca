import { expect, test } from 'bun:test'
import { AppError, type Caller } from '@bursar/http'
import { createKeyAddresses } from './key-addresses'

const user: Caller = { kind: 'user', subject: 'u', participantId: 'p', roles: ['participant-user'] }
const codeOf = (asked: Promise<void>) =>
  asked.then(
    () => 'taken',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

test('a refusal that could not be recorded is recorded with the next one', async () => {
  let isDiskFull = true
  const noted: string[] = []
  const note = async ({ subject }: Caller, from: string) => {
    if (isDiskFull) throw new AppError('SERVICE_UNAVAILABLE', 503, 'The disk is full')
    noted.push(`${subject} ${from}`)
  }
  const addresses = createKeyAddresses(
    note,
    async () => false,
    () => 0,
  )
  const asked = () => codeOf(addresses.requireUser(user, '10.1.2.4'))
  expect(await asked()).toBe('SERVICE_UNAVAILABLE')
  isDiskFull = false
  expect([await asked(), await asked()]).toEqual(['ADDRESS_NOT_ALLOWED', 'ADDRESS_NOT_ALLOWED'])
  expect(noted).toEqual(['u 10.1.2.4'])
})

test('whoever comes from many networks cannot fill the audit trail', async () => {
  let now = 0
  const noted: string[] = []
  const note = async ({ subject }: Caller, from: string) => void noted.push(`${subject} ${from}`)
  const addresses = createKeyAddresses(
    note,
    async () => false,
    () => now,
  )
  const ask = (i: number, subject: string) =>
    codeOf(addresses.requireUser({ ...user, subject }, `2001:db8:1:${i.toString(16)}::1`))
  const codes = new Set<string>()
  for (let i = 0; i < 5000; i++) codes.add(await ask(i, 'u'))
  expect([...codes]).toEqual(['ADDRESS_NOT_ALLOWED'])
  expect(noted).toHaveLength(20)
  // Others are recorded all the same, and this one again after a while.
  await ask(0, 'other')
  expect(noted.at(-1)).toBe('other 2001:db8:1:0::1')
  now = 10 * 60_000
  for (let i = 0; i < 5000; i++) await ask(i, 'u')
  expect(noted).toHaveLength(41)
})
