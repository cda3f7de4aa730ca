import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSharedByAll, isTooLongForSocket, socketFile } from '@bursar/http'
import { isUsableFolder } from './data-folder'
import { type Examination, findingsAbout } from './finding'

const { ok, warning } = findingsAbout('sockets')

/** Whether services of this machine can call each other by sockets. Without they use their ports, and say so in the log only. */
export const examineSockets: Examination = async ({ home, env, dataDir }) => {
  if (env.SOCKET_DIR === 'none') return [ok('none: services call each other by their ports')]
  const folder = env.SOCKET_DIR ? resolve(home, env.SOCKET_DIR) : join(resolve(dataDir), 'sockets')
  const reason = reasonAgainst(folder)
  if (reason !== null)
    return [warning(`services call each other by their ports, which takes more of the processor: ${folder} ${reason}`)]
  return statSync(folder, { throwIfNoEntry: false }) ? [ok(`services call each other by those in ${folder}`)] : []
}

/** What is wrong with the folder, and what to do; null for nothing. */
function reasonAgainst(folder: string): string | null {
  const highestPort = 65_535
  if (isTooLongForSocket(socketFile(folder, highestPort))) return 'has too long a path: set SOCKET_DIR to a shorter one'
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return null
  if (!isUsableFolder(folder))
    return 'cannot be read and written by this user: make it a folder of the user who runs the services'
  if (isSharedByAll(found)) return 'is shared by all users: set SOCKET_DIR to a folder of its own'
  return null
}
