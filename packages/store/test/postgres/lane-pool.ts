// Commits on a pool of the test's own, which says what the server would.
import { silentLog } from '@bursar/contracts/log'
import { SQL } from 'bun'
import { type Commits, laneCommits } from '../../src/postgres/commits'
import { laneGuard } from '../../src/postgres/guard'
import type { Pool, Taken } from '../../src/postgres/pool'

export const reading = { writes: null, isInsert: false, reads: [], mayBeLong: false }
export const problem = (state: string | null) =>
  new SQL.PostgresError('no', {
    code: 'ERR',
    errno: state ?? undefined,
    detail: '',
    hint: '',
    severity: 'ERROR',
  } as never)

interface Said {
  texts: string[]
  released: number
  dropped: number
}

type Run = (text: string) => Promise<unknown>

/** What the server answers to a statement: an error, or nothing. `end`: what a transaction says of its bodies. */
export function open(
  answer: (text: string, times: number) => Error | null | Promise<null> = () => null,
  end: (run: Run) => Promise<unknown> | null = () => null,
) {
  const said: Said = { texts: [], released: 0, dropped: 0 }
  const times = new Map<string, number>()
  const connection: Taken = {
    async run(text) {
      said.texts.push(text.split(' ')[0] as string)
      const before = times.get(text) ?? 0
      times.set(text, before + 1)
      const error = await answer(text, before)
      if (error) throw error
      return { rows: [], count: 0 }
    },
    script: async () => {},
    release() {
      said.released += 1
    },
    drop() {
      said.dropped += 1
    },
  }
  const pool: Pool = { take: async () => connection, close: async () => {} }
  const commits: Commits<string, never> = laneCommits<string, never>({
    pool,
    writers: 1,
    tx: () => 'tx',
    end: () => end((text) => commits.run(text, [], reading)),
    requestId: () => null,
    committed: () => {},
    log: silentLog,
    guard: laneGuard,
    random: () => 0,
  })
  return { said, commits, pool }
}
