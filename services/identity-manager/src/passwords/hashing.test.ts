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

test('who is known comes before all strangers that wait, and has a place when theirs are taken', async () => {
  const gate: (() => void)[] = []
  let isOpen = false
  const hashing = createHashing({
    hash: async () => 'x',
    verify: async () => {
      if (!isOpen) await new Promise<void>((resolve) => gate.push(resolve))
      return true
    },
  })
  const done: string[] = []
  const verify = (name: string, isKnown: boolean) =>
    hashing.verify('y', 'x', { isKnown }).then(() => void done.push(name))
  const strangers = Array.from({ length: 34 }, () => verify('stranger', false))
  await expect(verify('one too many', false)).rejects.toThrow('Too many passwords')
  const known = [verify('known', true), verify('known', true)]
  while (gate.length < 2) await Promise.resolve()
  isOpen = true
  for (const release of gate) release()
  await Promise.all([...strangers, ...known])
  expect(done.slice(0, 4).sort()).toEqual(['known', 'known', 'stranger', 'stranger'])
  expect(done).toHaveLength(36)
})
