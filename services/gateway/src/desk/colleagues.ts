import { type Db, gt, param, prepared } from '@bursar/store'
import { operators } from '../access/rules'
import { idleMs, isLive } from '../console-sessions/console-sessions'
import { consoleSessions } from '../console-sessions/console-sessions.table'

/** The most sessions that are read. */
const mostSessions = 500

/** Logged-in users who may decide, by name, each once. */
export async function colleaguesOf(db: Db, now: Date): Promise<{ id: string; name: string }[]> {
  const rows = await usedSince(db).execute({ since: new Date(now.getTime() - idleMs), most: mostSessions })
  const deciding = rows.filter((row) => isLive(row, now) && row.user.roles.some((role) => operators.includes(role)))
  const found = new Map(deciding.map(({ user: { id, name } }) => [id, { id, name }]))
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

const usedSince = prepared((db) =>
  db
    .select()
    .from(consoleSessions)
    .where(gt(consoleSessions.usedAt, param('since')))
    .limit(param('most')),
)
