import { describe, expect, test } from 'bun:test'
import { AppError } from '../errors/errors'
import { mapConcurrent } from './map-concurrent'

const numbers = Array.from({ length: 20 }, (_, i) => i)

describe('mapConcurrent', () => {
  test('gives the results in order, with as many at once as are allowed', async () => {
    let underWay = 0
    let most = 0
    const results = await mapConcurrent(numbers, 3, async (i) => {
      most = Math.max(most, ++underWay)
      for (let turn = 0; turn < i % 4; turn++) await Promise.resolve()
      underWay -= 1
      return i * 2
    })
    expect(results).toEqual(numbers.map((i) => i * 2))
    expect(most).toBe(3)
  })

  test('gives nothing for nothing, and takes more places than items', async () => {
    expect(await mapConcurrent([], 3, async () => 1)).toEqual([])
    expect(await mapConcurrent([1], 3, async (i) => i)).toEqual([1])
  })

  test('begins no more after a failure, and waits for those under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun: number[] = []
    let ended = 0
    const all = mapConcurrent(numbers, 2, async (i) => {
      begun.push(i)
      if (i === 0) throw new Error('no')
      await promise
      ended += 1
    })
    resolve()
    await expect(all).rejects.toThrow('no')
    expect([begun, ended]).toEqual([[0, 1], 1])
  })

  test('throws an AppError before another error', async () => {
    const final = new AppError('CONFLICT', 409, 'taken')
    const all = mapConcurrent([new Error('later'), final], 2, async (error) => {
      throw error
    })
    await expect(all).rejects.toBe(final)
  })
})
