// What the doctor says of a disk that is mounted read-only.
import { expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { runCommand } from '../commands'

const canMount = Bun.spawnSync(['unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stderr: 'ignore' })

test.skipIf(canMount.exitCode !== 0)('it is named, and nothing else is blamed', async () => {
  const dataDir = tempDir()
  const shell = `mount -t tmpfs -o mode=700 none ${dataDir} && mkdir ${dataDir}/archive && mount -o remount,ro ${dataDir} && exec "$@"`
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:9' }
  const { out } = await runCommand('doctor', [], { env, under: ['unshare', '-m', 'sh', '-c', shell, 'sh'] })
  expect(out.split('\n').filter((line) => /^\w+ +(permissions|disk|archive) /.test(line))).toEqual([
    `ok       permissions  ${dataDir} is for this user alone`,
    `wrong    disk         ${dataDir} is on a disk that is mounted read-only: mount it for writing (dmesg names a fault of the disk)`,
    `wrong    archive      ${dataDir}/archive cannot be written (EROFS: read-only file system): free some space, or move ARCHIVE_DIR`,
  ])
})
