import { expect, test } from 'bun:test'
import { createInstitutionAddresses } from './institution-addresses'

test('a list that was being read when it was changed is read again', async () => {
  const id = '01A1FE8F-0000-7000-8000-0000000000B1'
  const old = Promise.withResolvers<string[]>()
  const lists = [old.promise, Promise.resolve(['10.1.2.3'])]
  const addresses = createInstitutionAddresses(
    async () => (await lists.shift()) ?? [],
    () => 0,
  )
  const asked = addresses.isAllowedFrom(id, '10.1.2.4')
  addresses.forget(id)
  old.resolve([])
  expect(await asked).toBe(true)
  expect(await addresses.isAllowedFrom(id, '10.1.2.4')).toBe(false)
  expect(lists).toEqual([])
})

test('an institution is the same in any case of its id', async () => {
  const id = '01a1fe8f-0000-7000-8000-0000000000b1'
  const lists = new Map([[id, ['10.1.2.3']]])
  const addresses = createInstitutionAddresses(
    async (asked) => lists.get(asked) ?? [],
    () => 0,
  )
  expect(await addresses.isAllowedFrom(id.toUpperCase(), '10.1.2.4')).toBe(false)
  lists.set(id, ['10.1.2.4'])
  addresses.forget(id.toUpperCase())
  expect(await addresses.isAllowedFrom(id, '10.1.2.4')).toBe(true)
})
