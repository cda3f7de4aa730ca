import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { databaseSetting } from '@bursar/http'
import { movedName, requireNotMoved } from '@bursar/store'
import { lastBackupOf } from '@bursar/store/last-backup'
import { requireRestored } from '@bursar/store/unfinished'
import { databasesIn } from '../backup/contents'
import { type Examination, type Finding, findingsAbout } from './finding'

const restore = findingsAbout('restore')
const move = findingsAbout('move')
const backup = findingsAbout('backup')

/** What refuses every start on the data folder: a restore that has not ended, and a move of its databases to a server. */
export const examineBegun: Examination = async ({ dataDir, env }) => [
  ...refusalOf(restore.wrong, () => requireRestored(dataDir)),
  ...(databaseSetting(env) === null ? refusalOf(move.wrong, () => requireNotMoved(join(dataDir, movedName))) : []),
]

function refusalOf(wrong: (says: string) => Finding, require: () => void): Finding[] {
  try {
    require()
    return []
  } catch (error) {
    return [wrong(messageOf(error))]
  }
}

/** As the alert BursarBackupOld: the timer takes one each six hours. */
const oldHours = 13

/** Whether the newest backup, and the newest one elsewhere, are recent where real money moves. A server has its own. */
export const examineBackups: Examination = async ({ dataDir, env }) => {
  if (databaseSetting(env) !== null || !existsSync(dataDir) || databasesIn(dataDir).length === 0) return []
  const { takenAt, copiedAt } = lastBackupOf(dataDir)
  const places = [
    { what: 'the newest backup', at: takenAt },
    ...(env.BACKUP_COPY_TO ? [{ what: 'the newest backup in BACKUP_COPY_TO', at: copiedAt }] : []),
  ]
  const isReal = env.ENVIRONMENT === 'production'
  return places.map(({ what, at }) => {
    const unfit = isReal ? backup.warning : backup.ok
    if (at === null)
      return unfit(`${what}: none was ever taken${isReal ? ': start bursar-backup.timer, or bun run backup' : ''}`)
    const hours = Math.floor((Date.now() - Date.parse(at)) / 3_600_000)
    const says = `${what} is of ${at}`
    if (hours < oldHours) return backup.ok(says)
    return unfit(`${says}, ${hours} hours ago${isReal ? ': see BursarBackupOld in docs/operations.md' : ''}`)
  })
}
