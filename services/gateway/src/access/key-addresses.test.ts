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
