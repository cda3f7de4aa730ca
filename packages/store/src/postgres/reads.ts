// Reads outside of transactions. While all connections are busy, short reads share one: they are sent right behind each
// other, and wait for one round trip through the network.
import { DatabaseLostError } from '../engine/errors'
import type { Access, Answer } from '../statements/server'
import { isLost, type Pool, type Taken } from './pool'

/** Reads per turn of a connection: then others have their turn. */
const mostInTurn = 32

/** A turn of a connection. It ends when all reads that joined it are answered. */
interface Turn {
  readonly connection: Promise<Taken>
  joined: number
  unanswered: number
}

/** Runs reads on the connections of a pool, using at most `most` of them. */
export function readsOn(pool: Pool, most: number) {
  const turns: Turn[] = []

  function turnFor(): Turn {
    const last = turns.at(-1)
    if (last && turns.length >= most && last.joined < mostInTurn) return last
    const turn = { connection: pool.take(), joined: 0, unanswered: 0 }
    turns.push(turn)
    return turn
  }

  async function runIn(turn: Turn, text: string, values: readonly unknown[]): Promise<Answer> {
    turn.joined += 1
    turn.unanswered += 1
    try {
      return await (await turn.connection).run(text, values)
    } catch (error) {
      return lostAs(error)
    } finally {
      turn.unanswered -= 1
      if (turn.unanswered === 0) end(turn)
    }
  }

  function end(turn: Turn) {
    turns.splice(turns.indexOf(turn), 1)
    void turn.connection.then(
      (connection) => connection.release(),
      () => {},
    )
  }

  return {
    /** A long read has a connection of its own, and holds up no other. */
    async run(text: string, values: readonly unknown[], { writes, mayBeLong }: Access): Promise<Answer> {
      if (writes !== null) throw new Error('The reading connection is readonly')
      return mayBeLong ? await readOnce(pool, text, values) : await runIn(turnFor(), text, values)
    },
  }
}

/** Runs a query outside any transaction, on a connection of its own. */
export async function readOnce(pool: Pool, text: string, values: readonly unknown[]): Promise<Answer> {
  const connection = await pool.take().catch(lostAs)
  try {
    return await connection.run(text, values).catch(lostAs)
  } finally {
    connection.release()
  }
}

/** Throws for a connection that was lost while nothing was written. */
export function lostAs(error: unknown): never {
  if (isLost(error)) throw new DatabaseLostError('The database does not answer', { cause: error })
  throw error
}
