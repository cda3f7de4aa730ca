// The units of deploy/systemd, by systemd's own tools where they are, and against what the project has.
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSecretSetting } from '@bursar/http/environment'
import { tempDir } from '@bursar/testing'
import { knownSettings } from '../../scripts/stack/warnings'

const root = join(import.meta.dir, '../..')
const folder = join(root, 'deploy/systemd')
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name))
const services = units.filter((name) => name.endsWith('.service'))

function run(...command: string[]): { code: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { code: exitCode, said: `${stdout}${stderr}` }
}

describe.each(services)('%s', (name) => {
  test('names what the project has', () => {
    const settings = [...textOf(name).matchAll(/^Environment=(\w+)=/gm)].map(([, setting = '']) => setting)
    const known = knownSettings(readFileSync(join(root, '.env.example'), 'utf8'))
    expect(settings.filter((setting) => setting !== 'PATH' && !known.has(setting))).toEqual([])
    const files = [...textOf(name).matchAll(/\b(?:scripts|docs)\/[\w./-]+/g)].map(([file]) => file)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('writes to its own folders alone, as nobody but its user', () => {
    for (const line of [
      'User=bursar',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'UMask=0077',
    ])
      expect(textOf(name)).toContain(`\n${line}\n`)
  })

  test.skipIf(!Bun.which('systemd-analyze'))('is exposed less than 2.5 of 10', () => {
    const rated = run('systemd-analyze', 'security', '--offline=true', '--threshold=25', join(folder, name))
    expect(rated.said).toContain('Overall exposure level')
    expect(rated.code).toBe(0)
  })
})

test.skipIf(!Bun.which('systemd-analyze'))('systemd can read the units', () => {
  const copies = tempDir()
  for (const name of units) {
    // Installed, Bun is there.
    const text = textOf(name).replaceAll('/opt/bursar/.cache/bin/bun', process.execPath)
    writeFileSync(join(copies, name), text)
  }
  mkdirSync(join(copies, 'bursar.service.d'))
  writeFileSync(join(copies, 'bursar.service.d/secrets.conf'), textOf('secrets.conf'))
  for (const name of ['bursar.service', 'bursar-backup.timer'])
    expect(run('systemd-analyze', 'verify', join(copies, name))).toEqual({ code: 0, said: '' })
  const [, when = ''] = /^OnCalendar=(.*)$/m.exec(textOf('bursar-backup.timer')) ?? []
  expect(run('systemd-analyze', 'calendar', when).code).toBe(0)
})

test.skipIf(!Bun.which('systemd-analyze'))('so it can with the executable in place of a checkout', () => {
  const copies = tempDir()
  const dropIns = { 'bursar.service': 'executable.conf', 'bursar-backup.service': 'executable-backup.conf' }
  for (const [unit, dropIn] of Object.entries(dropIns)) {
    writeFileSync(join(copies, unit), textOf(unit))
    mkdirSync(join(copies, `${unit}.d`))
    writeFileSync(
      join(copies, `${unit}.d/executable.conf`),
      textOf(dropIn).replaceAll('/opt/bursar/bursar', process.execPath),
    )
    expect(run('systemd-analyze', 'verify', join(copies, unit))).toEqual({ code: 0, said: '' })
  }
})

test.skipIf(!Bun.which('systemd-sysusers') || process.getuid?.() !== 0)('the user and the folders can be made', () => {
  const machine = tempDir()
  mkdirSync(join(machine, 'etc'))
  expect(run('systemd-sysusers', `--root=${machine}`, join(folder, 'sysusers.conf')).code).toBe(0)
  const made = run('systemd-tmpfiles', '--create', `--root=${machine}`, join(folder, 'tmpfiles.conf'))
  expect(made).toEqual({ code: 0, said: '' })
  const [, user = ''] = /^bursar:[^:]*:(\d+):/m.exec(readFileSync(join(machine, 'etc/passwd'), 'utf8')) ?? []
  const backups = statSync(join(machine, 'var/backups/bursar'))
  expect([backups.mode & 0o777, String(backups.uid)]).toEqual([0o700, user])
  expect(statSync(join(machine, 'etc/bursar')).mode & 0o777).toBe(0o750)
})

test('what the example gives as credentials are secrets that services take so', () => {
  const names = [...textOf('secrets.conf').matchAll(/^LoadCredential=(\w+):/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !isSecretSetting(name))).toEqual([])
})

test.each([
  ['bursar-backup.service', 'exec bun scripts/backup.ts'],
  ['executable-backup.conf', 'exec /opt/bursar/bursar backup'],
])('%s: the backup is taken by a command that the project has, which removes old ones', (file, command) => {
  const [, shell = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(textOf(file)) ?? []
  expect(shell).toStartWith(`${command} `)
  // A dry run: what the shell would run, with its folder.
  const said = run('sh', '-c', shell.replaceAll('%%', '%').replace(command, 'echo'))
  expect(said.said).toMatch(/^--keep 56 \/var\/backups\/bursar\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\n$/)
})
