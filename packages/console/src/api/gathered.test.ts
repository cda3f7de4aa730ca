import { expect, test } from 'bun:test'
import { gathered } from './gathered'

test('questions of one turn go together, each id once, at most so many', async () => {
  const asked: string[][] = []
  const nameOf = gathered(async (ids) => {
    asked.push(ids)
    return new Map(ids.filter((id) => id !== 'gone').map((id) => [id, id.toUpperCase()]))
  }, 2)
  expect(await Promise.all(['a', 'b', 'a', 'gone'].map(nameOf))).toEqual(['A', 'B', 'A', null])
  expect(asked).toEqual([['a', 'b'], ['gone']])
  expect(await nameOf('a')).toBe('A')
  expect(asked).toHaveLength(3)
})

test("a failure is everybody's who asked", async () => {
  const nameOf = gathered(() => Promise.reject(new Error('away')))
  const outcomes = await Promise.allSettled([nameOf('a'), nameOf('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
