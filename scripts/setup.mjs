// First stage of scripts/start and scripts/test. It runs under Node, without dependencies, because on a fresh machine
// nothing else is there yet: it finds or installs Bun at the version that package.json pins, puts it at
// .cache/bin/bun, and installs the dependencies that bun.lock names.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, '.cache')
const say = (sentence) => console.error(`set-up: ${sentence}`)

/** The folders in `folder` whose names begin with `prefix`, as full paths. */
function foldersIn(folder, prefix) {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  return names.map((name) => join(folder, name))
}

/** Where the npm package `bun` leaves its program: with its install script blocked only @oven/bun-<platform> has it. */
function programsIn(modules) {
  const platforms = [
    ...foldersIn(join(modules, '@oven'), 'bun-'),
    ...foldersIn(join(modules, '.bun'), '@oven+bun-').flatMap((folder) =>
      foldersIn(join(folder, 'node_modules', '@oven'), 'bun-'),
    ),
  ]
  return [
    join(modules, '.bin', 'bun'),
    ...platforms.map((folder) => join(folder, 'bin', 'bun')),
    join(modules, 'bun', 'bin', 'bun.exe'), // so named on every system
  ]
}

function runsAs(program, version) {
  if (!existsSync(program)) return false
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && stdout.trim() === version
}

function findBun(version) {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'bun'))
  return [
    join(cache, 'bin', 'bun'),
    ...programsIn(join(root, 'node_modules')),
    ...programsIn(join(cache, 'bun', 'node_modules')),
    ...onPath,
  ].find((program) => runsAs(program, version))
}

/** Runs a program to its end. Throws one sentence when it fails: the task, the reason the program gave, the remedy. */
function run(program, args, task, remedy) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  if (status === 0) return
  if (error?.code === 'ENOENT') throw new Error(`There is no ${program} on the PATH, and set-up needs it.`)
  const lines = `${stderr ?? ''}\n${stdout ?? ''}`.split('\n').filter((line) => line.trim())
  const complaints = lines.filter((line) => /\berr(or|!)/i.test(line) && !/! (code|errno|syscall) /.test(line))
  const reason = error?.message ?? complaints[0] ?? lines.at(-1) ?? `exit code ${status}`
  throw new Error(`${task} failed (${reason.replace(/^(npm )?err(or|!):?/i, '').trim()}): ${remedy}.`)
}

function installBun(version) {
  say(`Bun ${version} is not here yet: installing it with npm into .cache/bun`)
  const folder = join(cache, 'bun')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const options = ['--prefix', folder, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  run(
    'npm',
    ['install', ...options, `bun@${version}`],
    'Installing it',
    `check the network, or put Bun ${version} on the PATH`,
  )
  const program = findBun(version)
  if (program) return program
  throw new Error(`npm installed bun@${version}, but it does not run on ${process.platform} ${process.arch}.`)
}

/** Makes `bun` of the Procfile and of every script mean this program. */
function putOnPath(program) {
  const link = join(cache, 'bin', 'bun')
  if (program === link) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(realpathSync(program), link)
}

/** Installs when node_modules was not made from this bun.lock. The stamp lies inside, so that it goes with the folder. */
function installDependencies(bun) {
  const stamp = join(root, 'node_modules', '.made-from')
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say('installing the dependencies that bun.lock names')
  run(bun, ['install', '--frozen-lockfile'], 'Installing them', 'check the network and try again')
  writeFileSync(stamp, hash)
}

function setUp() {
  if (Number(process.versions.node.split('.')[0]) < 18) {
    throw new Error(`Node 18 or later is needed, this is ${process.versions.node}.`)
  }
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.bun
  const bun = findBun(version) ?? installBun(version)
  putOnPath(bun)
  installDependencies(bun)
}

try {
  setUp()
} catch (error) {
  say(error.message)
  process.exit(1)
}
