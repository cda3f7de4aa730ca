import type { Log } from '@bursar/contracts/log'
import type { PortOptions } from '../edge/open-port'
import { callBySockets } from '../peers/sockets'
import type { ServiceConfig } from '../settings/config'
import { openPrivately } from './data-folder'

/**
 * The port, and the folder of this machine's unix sockets, through which this process calls other services from now on;
 * no folder if it cannot be private to this user.
 */
export function portOf(config: ServiceConfig, { isCalled = true }: { isCalled?: boolean }, log: Log): PortOptions {
  const { socketDir } = config
  const plain = { ...config, socketDir: null, log }
  if (socketDir === null) return plain
  try {
    openPrivately(socketDir, 'SOCKET_DIR')
  } catch (err) {
    log.warn({ err }, 'services are called by their ports: the folder of their sockets cannot be used')
    return plain
  }
  callBySockets(socketDir)
  return isCalled ? { ...plain, socketDir } : plain
}
