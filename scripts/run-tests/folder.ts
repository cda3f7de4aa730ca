import { readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const memoryFolder = '/dev/shm'
/** More than all tests leave behind until their processes end. */
const roomy = 4 * 2 ** 30

/**
 * Where tests keep their databases: in memory where there is room, because on a disk every commit waits for it. No test
 * depends on the disk: what a power cut leaves is worked out, and what a killed process leaves is the same. TMPDIR chooses
 * another folder.
 */
export function folderOfTests(): string {
  if (tmpdir() !== '/tmp' || process.platform !== 'linux') return tmpdir()
  const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m)
  // Tests also start programs that they write.
  if (!mount || /\b(ro|noexec)\b/.test(mount[1] ?? '')) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, freemem() / 2) > roomy ? memoryFolder : tmpdir()
}
