import { dlopen } from 'bun:ffi'
import type { Log } from '@bursar/contracts/log'

const prSetDumpable = 4
const rlimitCore = 4

/**
 * Keeps the memory of this process, where the keys are, out of core dumps and away from debuggers and other processes of
 * the same user (Linux: PR_SET_DUMPABLE, RLIMIT_CORE). Logs where that could not be done; the service runs all the same.
 */
export function protectMemory(log: Pick<Log, 'warn'>): void {
  try {
    const { symbols, close } = dlopen('libc.so.6', {
      prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
      setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
    })
    const dumpable = symbols.prctl(prSetDumpable, 0, 0, 0, 0)
    // struct rlimit: soft and hard limit, both 0.
    const limit = symbols.setrlimit(rlimitCore, new BigUint64Array(2))
    close()
    if (dumpable !== 0 || limit !== 0) throw new Error('the system refused it')
  } catch (error) {
    log.warn({ err: error }, 'Core dumps of this process could not be switched off; they would hold the keys')
  }
}
