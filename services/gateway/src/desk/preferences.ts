import { type Db, rowBy, type Tx, upsertInto } from '@bursar/store'
import type { Preferences } from './desk.model'
import { consolePreferences } from './desk.table'

/** A person's display preferences; empty if nothing was changed. */
export async function preferencesOf(db: Db, userId: string): Promise<Preferences> {
  return (await rowOf(db, userId))?.preferences ?? {}
}

export const putPreferences = (tx: Tx, userId: string, preferences: Preferences, changedAt: Date): Promise<unknown> =>
  put(tx).execute({ userId, preferences, changedAt })

const rowOf = rowBy(consolePreferences, 'userId')
const put = upsertInto(consolePreferences, ['userId'], ['preferences', 'changedAt'])
