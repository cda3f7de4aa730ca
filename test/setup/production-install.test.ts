// What scripts/start installs: all that it runs, and nothing that only development needs.
import { expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '@bursar/testing'

const root = dirname(dirname(import.meta.dir))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('what the scripts of a running stack import is no development dependency', async () => {
  const forDevelopers = /^scripts\/(client-|console-|dev|run-tests|test-report|docs-|stack\/chromium)/
  const files = [...new Bun.Glob('scripts/**/*.ts').scanSync({ cwd: root })].filter((file) => !forDevelopers.test(file))
  expect(files).toContain('scripts/run-stack.ts')
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const imported = await Promise.all(
    files.map(async (file) => transpiler.scanImports(await Bun.file(join(root, file)).text()).map(({ path }) => path)),
  )
  const packages = new Set(
    imported
      .flat()
      .filter((path) => !/^(\.|node:|bun$|bun:)/.test(path))
      .map((path) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  )
  expect(packages).toContain('@bursar/http')
  expect([...packages].filter((name) => !(name in manifest.dependencies))).toEqual([])
})

/** A checkout, and a program in place of Bun that notes what it is asked for. */
function checkout() {
  const folder = tempDir()
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['package.json', 'bun.lock', 'scripts/setup.mjs'])
    copyFileSync(join(root, name), join(folder, name))
  const bun = join(folder, '.cache/bin/bun')
  mkdirSync(dirname(bun), { recursive: true })
  const asked = join(folder, 'asked')
  const version = manifest.devDependencies.bun
  writeFileSync(
    bun,
    `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\nmkdir -p node_modules\necho "$@" >> '${asked}'\n`,
  )
  chmodSync(bun, 0o755)
  const setUp = async (...args: string[]) => {
    writeFileSync(asked, '')
    const narrow = ['sh', '-c', 'umask 077; exec "$@"', 'sh']
    const command = [...narrow, 'node', 'scripts/setup.mjs', ...args]
    const child = Bun.spawn(command, { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
    expect(await child.exited).toBe(0)
    expect(existsSync(join(folder, 'node_modules/.made-from'))).toBe(true)
    // `npm run …` finds Bun there.
    expect(realpathSync(join(folder, 'node_modules/.bin/bun'))).toBe(realpathSync(bun))
    return readFileSync(asked, 'utf8')
  }
  return { folder, setUp }
}

const part = 'install --frozen-lockfile --production\n'
const whole = 'install --frozen-lockfile\n'

test('scripts/start installs for production alone; scripts/test adds the rest, which stays', async () => {
  const { setUp } = checkout()
  expect(await setUp('--production')).toBe(part)
  expect(await setUp('--production')).toBe('')
  expect(await setUp()).toBe(whole)
  expect(await setUp()).toBe('')
  expect(await setUp('--production')).toBe('')
})

test('after an installation that failed, the dependencies of the release before are installed anew', async () => {
  const { folder, setUp } = checkout()
  await setUp()
  const [lock, bun] = [join(folder, 'bun.lock'), join(folder, '.cache/bin/bun')]
  const [before, program] = [readFileSync(lock), readFileSync(bun)]
  writeFileSync(lock, 'of the next release')
  writeFileSync(bun, `${program}exit 1\n`)
  const failed = Bun.spawn(['node', 'scripts/setup.mjs'], { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  expect(await failed.exited).toBe(1)
  writeFileSync(lock, before)
  writeFileSync(bun, program)
  expect(await setUp()).toBe(whole)
})

test('what is installed is read by any user, with a narrow umask as well', async () => {
  const { folder, setUp } = checkout()
  await setUp('--production')
  const modes = ['node_modules', 'node_modules/.bin', 'node_modules/.made-from'].map(
    (path) => statSync(join(folder, path)).mode & 0o777,
  )
  expect(modes).toEqual([0o755, 0o755, 0o644])
})

test('in a checkout that has everything scripts/start takes nothing away', async () => {
  const { setUp } = checkout()
  expect(await setUp()).toBe(whole)
  expect(await setUp('--production')).toBe('')
})

test.each([
  ['nothing', ''],
  ['an installation for production', '--production'],
])('scripts/start takes nothing away of what `bun install` put over %s', async (_, before) => {
  const { folder, setUp } = checkout()
  if (before) await setUp(before)
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/.bin/tsc'), '')
  expect(await setUp('--production')).toBe(whole)
  expect(await setUp('--production')).toBe('')
})

/** The packages that come with a package, itself among them; peers do not. */
function installedWith(name: string, from: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  const folder = [from, ...ancestorsOf(from)].map((each) => join(each, 'node_modules', name)).find(existsSync)
  if (!folder) return found
  found.add(name)
  const place = realpathSync(folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  for (const each of Object.keys(dependencies)) installedWith(each, place, found)
  return found
}
const ancestorsOf = (path: string): string[] =>
  dirname(path) === path ? [] : [dirname(path), ...ancestorsOf(dirname(path))]

test('the console is built from what is installed for production: no peer of a package is in it', async () => {
  const folder = join(root, 'packages/console')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const installed = new Set(Object.keys(dependencies).flatMap((name) => [...installedWith(name, folder)]))
  const asked = new Set<string>()
  await Bun.build({
    entrypoints: [join(folder, 'src/main.tsx')],
    target: 'browser',
    splitting: true,
    plugins: [
      {
        name: 'what is asked for, also where nothing of it is used',
        setup: (build) => {
          build.onResolve({ filter: /^[^./]/ }, ({ path }) => {
            asked.add(/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
            return undefined
          })
        },
      },
    ],
  })
  expect(asked).toContain('preact')
  expect([...asked].filter((name) => !installed.has(name))).toEqual([])
})
