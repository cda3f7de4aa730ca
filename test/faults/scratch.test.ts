// What backups and restores that were cut off leave: copies of databases and keys.
import { Database } from 'bun:sqlite'
import { beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { claimScratch } from '../../scripts/stack/scratch'
import { runCommand } from '../commands'

const scratch = JSON.stringify(join(import.meta.dir, '../../scripts/stack/scratch'))

let place: string
beforeEach(() => {
  place = tempDir()
})

/** A process that has claimed a folder, made it and `other`, and waits. */
async function claimer(folder: string, other: string) {
  const program = `import { claimScratch } from ${scratch}
    import { mkdirSync } from 'node:fs'
    claimScratch(${JSON.stringify(folder)}, [${JSON.stringify(other)}])
    for (const each of ${JSON.stringify([folder, other])}) mkdirSync(each + '/in', { recursive: true })
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  await child.stdout.getReader().read()
  return child
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s leaves nothing', async (signal, code) => {
  const child = await claimer(join(place, 'restore-abc123'), join(place, 'arriving-1'))
  child.kill(signal)
  expect(await child.exited).toBe(code)
  expect(await child.stderr.text()).toBe(`Interrupted by ${signal}: nothing was changed, and nothing is left of it.\n`)
  expect(readdirSync(place)).toEqual([])
})

test('the next one removes what one that was killed has left, and nothing of one that lives, or of somebody else', async () => {
  const killed = await claimer(join(place, 'one.unfinished'), join(place, 'other'))
  killed.kill('SIGKILL')
  await killed.exited
  const living = await claimer(join(place, 'restore-abc123'), join(place, 'other'))
  for (const name of ['two.unfinished', 'mine']) mkdirSync(join(place, name))
  writeFileSync(join(place, 'mine.lock'), '')
  const own = claimScratch(join(place, 'three.unfinished'))
  const others = ['mine', 'mine.lock', 'other', 'two.unfinished']
  const ofLiving = ['restore-abc123', 'restore-abc123.lock', 'restore-abc123.pid']
  const left = readdirSync(place).filter((name) => !name.startsWith('three'))
  expect(left.sort()).toEqual([...others, ...ofLiving].sort())
  own.remove()
  living.kill('SIGKILL')
  await living.exited
  claimScratch(join(place, 'three.unfinished')).remove()
  expect(readdirSync(place).sort()).toEqual(others)
})

test('commands that begin at once beside each other each have their folder', async () => {
  const program = `import { claimScratch } from ${scratch}
    import { existsSync, mkdirSync } from 'node:fs'
    let had = 0
    for (let i = 0; i < 100; i++) {
      const folder = ${JSON.stringify(place)} + '/' + process.pid + '-' + i + '.unfinished'
      const own = claimScratch(folder)
      mkdirSync(folder)
      await new Promise((resolve) => setImmediate(resolve))
      if (existsSync(folder) && existsSync(folder + '.lock')) had += 1
      own.remove()
    }
    console.log(had)`
  const claiming = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' }),
  )
  for (const { stdout, stderr } of claiming) expect([await stdout.text(), await stderr.text()]).toEqual(['100\n', ''])
  expect(readdirSync(place)).toEqual([])
})

test('a folder is had although a command that looks for abandoned ones stands still while it has the lock', async () => {
  const folder = join(place, 'one.unfinished')
  const program = `import { lockForRestore } from ${JSON.stringify(Bun.resolveSync('@bursar/store/file-lock', import.meta.dir))}
    const lock = lockForRestore(${JSON.stringify(folder)}, 'The folder')
    console.log('ready')
    Bun.sleepSync(1500)
    lock.release()`
  const looking = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' })
  await looking.stdout.getReader().read()
  claimScratch(folder).remove()
  expect(await looking.exited).toBe(0)
  expect(readdirSync(place).filter((name) => !name.endsWith('.lock'))).toEqual([])
})

test('a backup into the folder of one that was killed succeeds', async () => {
  const dataDir = join(place, 'data')
  mkdirSync(dataDir)
  mkdirSync(join(place, 'backups'))
  const database = new Database(join(dataDir, 'customer.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE customers (id)')
  database.close()
  const folder = join(place, 'backups/one')
  const killed = await claimer(`${folder}.unfinished`, join(place, 'other'))
  const env = { PATH: process.env.PATH, INTERNAL_SECRET: Buffer.alloc(32, 7).toString('base64') }
  const backup = () =>
    runCommand('backup', [folder, '--data-dir', dataDir, '--without-redis'], {
      env: { ...env, REDIS_URL: 'redis://127.0.0.1:9' },
    })
  expect(await backup()).toMatchObject({ code: 1, error: expect.stringContaining('is in use by process') })
  expect(existsSync(`${folder}.unfinished/in`)).toBe(true)
  killed.kill('SIGKILL')
  await killed.exited
  expect(await backup()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^1 files are copied/),
    error: '',
  })
  expect(readdirSync(join(place, 'backups'))).toEqual(['one'])
})
