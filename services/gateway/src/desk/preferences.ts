import { byKey, type Db, param, params, prepared, type Tx } from '@bursar/store'
import { consolePreferences, type Preferences } from './desk.table'

/** How this person wants the console to look; empty for one who has changed nothing. */
export async function preferencesOf(db: Db, userId: string): Promise<Preferences> {
  const [row] = await rowOf(db).execute({ userId })
  return row?.preferences ?? {}
}

export const putPreferences = (tx: Tx, userId: string, preferences: Preferences, changedAt: Date): Promise<unknown> =>
  put(tx).execute({ userId, preferences, changedAt })

const rowOf = byKey(consolePreferences, 'userId')
const put = prepared((db) =>
  db
    .insert(consolePreferences)
    .values(params(consolePreferences))
    .onConflictDoUpdate({
      target: consolePreferences.userId,
      set: { preferences: param('preferences'), changedAt: param('changedAt') },
    }),
)
