import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import {
  CommitFailedError,
  DatabaseLostError,
  NestedCommitError,
  OutsideCommitError,
  StoreClosedError,
  UnknownOutcomeError,
} from '../../src/engine/errors'
import { LaneLeftError } from '../../src/postgres/guard'
import { readOnce } from '../../src/postgres/reads'
import { failureOf, refuse } from '../harness'
import { open, problem, reading } from './lane-pool'

// How commits go on when the server says no.

describe('commits on a server', () => {
  test('a transaction that another one kept from its end runs again in halves', async () => {
    const { said, commits } = open((text, times) => (text === 'COMMIT' && times < 1 ? problem('40001') : null))
    let runs = 0
    const ids = ['a', 'b', 'c', 'd']
    const results = await Promise.all(
      ids.map((id) =>
        commits.commit(async () => {
          runs += 1
          return id
        }, id),
      ),
    )
    expect([results, runs]).toEqual([ids, 8])
    expect(said.texts).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT', 'BEGIN', 'COMMIT'])
    expect(commits.figures()).toMatchObject({ transactions: 2, bodies: 4, conflicts: 1 })
  })

  test('an urgent one goes before all that waits', async () => {
    const { commits } = open()
    const order: string[] = []
    const commit = (name: string, options = {}) => commits.commit(async () => void order.push(name), undefined, options)
    await Promise.all([commit('a'), commit('b'), commit('c', { isUrgent: true })])
    expect(order).toEqual(['c', 'a', 'b'])
  })

  test('batches grow again, one body at a time', async () => {
    const { commits } = open((text, times) => (text === 'COMMIT' && times < 1 ? problem('40P01') : null))
    const all = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, i) => commits.commit(async () => i, `k${i}`)))
    await all(64)
    const { transactions } = commits.figures()
    expect(transactions).toBe(2)
    // At most 34 together now.
    await all(64)
    expect(commits.figures().transactions).toBe(transactions + 2)
  })

  test('what goes on meeting others is given up after a hundred runs', async () => {
    const { commits } = open((text) => (text === 'select' ? problem('40001') : null))
    let runs = 0
    const failing = commits.commit(async () => {
      runs += 1
      await commits.run('select', [], reading)
    })
    expect(await failureOf(failing)).toBeInstanceOf(SQL.PostgresError)
    expect(runs).toBe(100)
  })

  test('so is what meets them at its COMMIT: the body has ended well, and nothing is written', async () => {
    const { commits } = open((text) => (text === 'COMMIT' ? problem('40001') : null))
    expect(await failureOf(commits.commit(async () => 'done'))).toBeInstanceOf(CommitFailedError)
    expect(commits.figures()).toMatchObject({ transactions: 0, conflicts: 100 })
  })

  test('a row that is there already is tried three times: it may have been made meanwhile', async () => {
    const { commits } = open((text) => (text === 'insert' ? problem('23505') : null))
    let runs = 0
    const failing = commits.commit(async () => {
      runs += 1
      await commits.run('insert', [], { ...reading, writes: 't', isInsert: true })
    })
    expect(await failureOf(failing)).toBeInstanceOf(SQL.PostgresError)
    expect(runs).toBe(3)
    const { commits: others } = open((text, times) => (text === 'insert' && times < 2 ? problem('23505') : null))
    expect(await others.commit(async () => void (await others.run('insert', [], reading)))).toBeUndefined()
  })

  test('an error of the body, or of another kind, is not tried again', async () => {
    const { said, commits } = open((text) => (text === 'select' ? problem('22P02') : null))
    let runs = 0
    const asking = commits.commit(async () => {
      runs += 1
      await commits.run('select', [], reading)
    })
    await failureOf(asking)
    const own = Object.assign(new Error('of the domain'), { code: '40001', errno: '40001' })
    const failing = commits.commit(async () => {
      runs += 1
      throw own
    })
    expect([await failureOf(failing), runs]).toEqual([own, 2])
    expect(said.texts).toEqual(['BEGIN', 'select', 'ROLLBACK', 'BEGIN', 'ROLLBACK'])
  })

  test.each([
    ['is lost', null],
    ['the server ends', '57P01'],
    ['the server ends after a crash', '57P02'],
  ])('a connection that %s in COMMIT leaves the outcome unknown, and is not used again', async (_, state) => {
    const { said, commits } = open((text, times) => (text === 'COMMIT' && times < 1 ? problem(state) : null))
    let runs = 0
    const body = async () => {
      runs += 1
    }
    const [one, other] = [commits.commit(body, 'a'), commits.commit(body, 'b')].map(failureOf)
    expect([await one, await other]).toEqual([expect.any(UnknownOutcomeError), expect.any(UnknownOutcomeError)])
    expect([runs, said.dropped, said.released]).toEqual([2, 1, 0])
    await commits.commit(body)
    expect([runs, said.released]).toEqual([3, 1])
  })

  test('a read whose connection is lost says so, and no other one does', async () => {
    const asking = (state: string | null) => {
      const { pool } = open(() => problem(state))
      return failureOf(readOnce(pool, 'select', []))
    }
    for (const state of [null, '57P01', '57P03', '08006']) expect(await asking(state)).toBeInstanceOf(DatabaseLostError)
    expect(await asking('22P02')).not.toBeInstanceOf(DatabaseLostError)
  })

  test('one that is lost before has written nothing', async () => {
    const { said, commits } = open((text) => (text === 'select' ? problem(null) : null))
    const failing = commits.commit(async () => void (await commits.run('select', [], reading)))
    expect(await failureOf(failing)).toBeInstanceOf(CommitFailedError)
    expect([said.texts, said.dropped]).toEqual([['BEGIN', 'select'], 1])
  })

  test('one that refuses runs again alone, and the others together', async () => {
    const { said, commits } = open()
    const bodies = ['a', 'b', 'no', 'c'].map((key) =>
      failureOf(commits.commit(async () => void (key === 'no' && refuse()), key)),
    )
    expect(await Promise.all(bodies)).toEqual([undefined, undefined, expect.any(Error), undefined])
    expect(said.texts).toEqual(['BEGIN', 'ROLLBACK', 'BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK'])
    expect(commits.figures()).toMatchObject({ transactions: 1, bodies: 3, left: 1 })
  })

  test('all run alone where a statement has failed, or the guard was left: nobody knows for whom', async () => {
    for (const error of [
      problem('22P02'),
      new LaneLeftError('left'),
      new Error('wrapped', { cause: problem('22P02') }),
    ]) {
      const { commits } = open((text, times) => (text === 'select' && times < 1 ? error : null))
      const ids = ['a', 'b', 'c']
      const run = (id: string) => commits.commit(() => commits.run(id === 'b' ? 'select' : 'other', [], reading), id)
      await Promise.all(ids.map(run))
      expect(commits.figures()).toMatchObject({ transactions: 3, bodies: 3, left: 1 })
    }
  })

  test('refuses what belongs to no body, a commit in a body, and what comes after the end', async () => {
    const { commits } = open()
    expect(await failureOf(commits.run('select', [], reading))).toBeInstanceOf(OutsideCommitError)
    const nested = commits.commit(() => commits.commit(async () => 1))
    expect(await failureOf(nested)).toBeInstanceOf(NestedCommitError)
    const last = commits.commit(async () => 'last')
    const ended = commits.end()
    expect(await failureOf(commits.commit(async () => 1))).toBeInstanceOf(StoreClosedError)
    expect([await last, await ended]).toEqual(['last', undefined])
  })
})
