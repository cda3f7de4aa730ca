import { expect, test } from 'bun:test'
import { together } from './together'

test('gives the results in the order of the statements', async () => {
  const [one, other] = await together(
    Bun.sleep(1).then(() => 1),
    Promise.resolve(2),
  )
  expect([one, other]).toEqual([1, 2])
})

test('waits for all where one fails, and rejects with what failed first', async () => {
  const gate = Promise.withResolvers<never>()
  let isOver = false
  const slow = Bun.sleep(2).then(() => {
    isOver = true
  })
  const failing = together(gate.promise, slow, Promise.reject(new Error('first'))).catch((error) => [error, isOver])
  gate.reject(new Error('behind it'))
  expect(await failing).toEqual([new Error('first'), true])
})
