import { expect, test } from 'bun:test'
import { createHashing } from './hashing'

test('nobody has the password of no user, whatever a hash says', async () => {
  const { verify } = createHashing({ hash: async () => 'x', verify: async () => true })
  expect([await verify('y', 'x'), await verify('y', null)]).toEqual([true, false])
})

test('a failure to hash leaves room for others', async () => {
  let fails = true
  const hash = async () => (fails ? Promise.reject(new Error('no memory')) : 'x')
  const hashing = createHashing({ hash, verify: async () => true })
  for (let i = 0; i < 5; i++) expect(hashing.verify('y', null)).rejects.toThrow('no memory')
  for (let i = 0; i < 5; i++) await hashing.hash('y').catch(() => {})
  fails = false
  expect([await hashing.hash('y'), await hashing.verify('y', 'x')]).toEqual(['x', true])
})
