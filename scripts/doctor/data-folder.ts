import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { isOpenToOthers } from '@bursar/http'
import { secretsIn } from '../backup/contents'
import { type Examination, type Finding, findingsAbout } from './finding'

const permissions = findingsAbout('permissions')
const disk = findingsAbout('disk')

/** Who may read and write the data folder and its files. */
export const examinePermissions: Examination = async ({ dataDir }) => {
  const { ok, warning, wrong } = permissions
  const folder = statSync(dataDir, { throwIfNoEntry: false })
  if (!folder) return [ok(`${dataDir} is not there yet: the first start makes it`)]
  if (!isUsable(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
    return [wrong(`${dataDir} cannot be read and written by this user: chown -R it to the user who runs the services`)]
  const secrets = new Set(secretsIn(dataDir))
  const entries = readdirSync(dataDir).map((name) => ({ name, path: join(dataDir, name) }))
  const found = entries.flatMap(({ name, path }): Finding[] => {
    if (!isUsable(path, constants.R_OK | constants.W_OK))
      return [wrong(`${path} cannot be read and written by this user: chown it to the user who runs the services`)]
    if (secrets.has(name) && isOpenToOthers(statSync(path)))
      return [wrong(`${path} is open to other users, and may be a key: chmod 600 it`)]
    return []
  })
  if (isOpenToOthers(folder)) found.push(warning(`${dataDir} is open to other users: chmod 700 it`))
  return found.length > 0 ? found : [ok(`${dataDir} is for this user alone`)]
}

/** A disk that nobody may write to is another finding. */
function isUsable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === readOnly
  }
}

/** A folder that this user may read and write. */
export const isUsableFolder = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) &&
  isUsable(path, constants.R_OK | constants.W_OK | constants.X_OK)

/** What the system says of a write to a disk that is mounted read-only. */
const readOnly = 'EROFS'

const mebibyte = 1024 * 1024
/** Below it writes may fail within minutes: databases, their logs and Redis' file grow by megabytes. */
const leastBytes = 256 * mebibyte
const scarceBytes = 2048 * mebibyte

/** Whether the data folder can be written to: a quota or a limit shows only when writing. */
export const examineDisk: Examination = async ({ dataDir }) => {
  const { ok, warning, wrong } = disk
  if (!statSync(dataDir, { throwIfNoEntry: false })) return []
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const says = `${Math.floor(free / mebibyte)} MiB are free on the disk of ${dataDir}`
  const failure = tryWriting(dataDir)
  const network = networkOf(statfsSync(dataDir).type)
  if (failure?.startsWith(readOnly))
    return [
      wrong(
        `${dataDir} is on a disk that is mounted read-only: mount it for writing (dmesg names a fault of the disk)`,
      ),
    ]
  if (failure)
    return [wrong(`${dataDir} cannot be written (${failure}): free some space, or raise the quota or limit there`)]
  if (network !== null)
    return [
      wrong(`${dataDir} is on a network file system (${network}), which keeps no locks: move DATA_DIR to a local disk`),
    ]
  if (free < leastBytes) return [wrong(`${says}: free some space, or move DATA_DIR to a larger disk`)]
  if (free < scarceBytes) return [warning(`${says}: free some space soon`)]
  return [ok(says)]
}

/** By the type that Linux gives them. SQLite's logs need memory that all processes of one machine share. */
const networks = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
])

/** The name of a network file system; null for any other. Types may come as signed numbers. */
export const networkOf = (type: number): string | null => networks.get(type >>> 0) ?? null

const probeBytes = 4 * mebibyte

/** Why a file of some megabytes cannot be written; null if it can. The file is removed again, and the answer does not name it. */
export function tryWriting(dataDir: string): string | null {
  const file = join(dataDir, `doctor-${process.pid}.new`)
  try {
    const fd = openSync(file, 'wx', 0o600)
    try {
      let written = 0
      while (written < probeBytes) written += writeSync(fd, Buffer.alloc(probeBytes - written))
      fsyncSync(fd)
    } finally {
      closeSync(fd)
      rmSync(file)
    }
    return null
  } catch (error) {
    return messageOf(error).replace(/, \w+( '.*')?$/, '')
  }
}
