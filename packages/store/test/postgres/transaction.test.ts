import { describe, expect, test } from 'bun:test'
import { CommitFailedError, UnknownOutcomeError } from '../../src/engine/errors'
import { failureOf, refuse } from '../harness'
import { open, problem, reading } from './lane-pool'

describe('a transaction on a server', () => {
  test('COMMIT goes right behind what a transaction says of its bodies', async () => {
    const gate = Promise.withResolvers<null>()
    const { said, commits } = open(
      (text) => (text === 'note' ? gate.promise : null),
      (run) => run('note'),
    )
    const committing = commits.commit(async () => void (await commits.run('select', [], reading)))
    while (said.texts.length < 4) await new Promise((resolve) => setImmediate(resolve))
    expect(said.texts).toEqual(['BEGIN', 'select', 'note', 'COMMIT'])
    const first = await Promise.race([
      committing.then(() => 'answered'),
      new Promise((resolve) => setImmediate(resolve)),
    ])
    expect(first).toBeUndefined()
    gate.resolve(null)
    await committing
    expect([said.released, commits.figures().transactions]).toEqual([1, 1])
  })

  test.each([
    ['another one kept it from that', '40001', undefined, 2],
    ['it fails', '53100', expect.any(CommitFailedError), 1],
    ['the connection is lost', null, expect.any(UnknownOutcomeError), 1],
  ])(
    'where what it says of them cannot be written since %s, nothing counts as written',
    async (_, state, error, runs) => {
      const { said, commits } = open(
        (text, times) => {
          if (times > 0) return null
          // The server answers COMMIT with the end of what failed before.
          return text === 'note' || (text === 'COMMIT' && state === null) ? problem(state) : null
        },
        (run) => run('note'),
      )
      let ran = 0
      const body = async () => {
        ran += 1
      }
      expect([await failureOf(commits.commit(body)), ran]).toEqual([error, runs])
      expect(commits.figures().transactions).toBe(error ? 0 : 1)
      expect(said.dropped).toBe(error ? 1 : 0)
    },
  )

  test('what a transaction would say after COMMIT was sent is refused', async () => {
    const { said, commits } = open(
      () => null,
      async (run) => {
        await run('note')
        await run('late')
      },
    )
    expect(String(await failureOf(commits.commit(async () => {})))).toContain('outside its commit')
    expect(said.texts).toEqual(['BEGIN', 'note', 'COMMIT'])
  })

  test('the transaction ends when all its bodies have, also when one has thrown', async () => {
    const { said, commits } = open()
    const gate = Promise.withResolvers<void>()
    const slow = commits.commit(async () => {
      await gate.promise
      await commits.run('select', [], reading)
    }, 'slow')
    const failing = failureOf(commits.commit(async () => refuse(), 'failing'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(said.texts).toEqual(['BEGIN'])
    gate.resolve()
    await Promise.all([slow, failing])
    expect(said.texts.slice(0, 3)).toEqual(['BEGIN', 'select', 'ROLLBACK'])
  })

  test('what failed first decides, whichever failure the body hears of first', async () => {
    const failing = async (state: string) => {
      const { commits } = open((text, times) => {
        if (times > 0) return null
        return text === 'first' ? problem(state) : text === 'behind it' ? problem('25P02') : null
      })
      let runs = 0
      const committing = commits.commit(async () => {
        runs += 1
        const first = commits.run('first', [], reading)
        const behind = commits.run('behind it', [], reading)
        await behind.finally(() => first.catch(() => {}))
        await first
      })
      return [await failureOf(committing), runs]
    }
    expect(await failing('40001')).toEqual([undefined, 2])
    expect(await failing('23505')).toEqual([undefined, 2])
    expect(await failing('53100')).toEqual([expect.objectContaining({ errno: '53100' }), 1])
  })

  test('a body that keeps the failure of a statement to itself has written nothing, and says so', async () => {
    const { said, commits } = open((text) => (text === 'no' ? problem('22P02') : null))
    const run = (text: string) => commits.run(text, [], reading).catch(() => {})
    expect(await failureOf(commits.commit(() => run('no')))).toMatchObject({ errno: '22P02' })
    expect(said.texts).toEqual(['BEGIN', 'no', 'ROLLBACK'])
    const both = ['yes', 'no'].map((text) => failureOf(commits.commit(() => run(text), text)))
    expect(await Promise.all(both)).toEqual([undefined, expect.objectContaining({ errno: '22P02' })])
    expect(commits.figures()).toMatchObject({ transactions: 1, bodies: 1, left: 1 })
  })
})
