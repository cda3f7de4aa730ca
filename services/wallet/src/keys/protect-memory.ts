import { dlopen } from 'bun:ffi'
import type { Log } from '@bursar/contracts/log'

const prSetDumpable = 4
const rlimitCore = 4

/**
 * Protects the memory of this process, which contains the keys, from core dumps, debuggers and other processes of the
 * same user (Linux: PR_SET_DUMPABLE, RLIMIT_CORE). If that fails it logs a warning, and the service still runs.
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
    log.warn({ err: error }, 'Core dumps of this process could not be disabled; they would contain the keys')
  }
}
