// First stage of scripts/start and scripts/test. It runs under Node, without dependencies, because on a fresh machine
// nothing else is there yet: it finds or installs Bun at the version that package.json pins, puts it at
// .cache/bin/bun, and installs the dependencies that bun.lock names.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
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

/** How long the registry may take to be reached, and after how long a person hears that it goes on. */
const networkMs = 10_000
const patienceMs = 15_000

/** Runs a program to its end; `begun` resolves with the first of what it says, and `stop` ends it. */
function start(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const begun = new Promise((resolve) => child.stderr.once('data', resolve))
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (status) => resolve({ status }))
  })
  const stop = () => {
    try {
      // What it started itself too.
      process.kill(-child.pid, 'SIGKILL')
    } catch {}
  }
  process.once('exit', stop)
  return { output, begun, ended, stop }
}

/** What npm and Bun call a certificate that they do not trust. */
const untrusted = /\b(?:\w*SELF_SIGNED_CERT\w*|UNABLE_TO_(?:GET_ISSUER|VERIFY)_\w+|(?:ERR_TLS_)?CERT_[A-Z_]+)\b/

/** Asks npm's registry, as npm itself does: with its settings, and through its proxy. `answers` once it is known. */
function askRegistry(version) {
  const options = ['--fetch-retries=0', '--loglevel=verbose']
  const { output, begun, ended, stop } = start('npm', ['view', `bun@${version}`, 'version', ...options])
  // From when npm itself runs: on a busy machine that takes longer than any registry.
  let patience
  void begun.then(() => {
    patience = setTimeout(stop, networkMs)
  })
  const answers = ended.then(({ status }) => {
    clearTimeout(patience)
    return status === 0
  })
  return { output, answers, stop }
}

/**
 * Runs an installation to its end. Throws one sentence when it fails: the task, the reason the program gave, the remedy.
 * Without a network it gives up, unless all that it needs is here by then.
 */
async function install(program, args, { version, task, remedy }) {
  const { output, ended, stop } = start(program, args)
  const began = Date.now()
  const told = setInterval(
    () => say(`still installing, after ${Math.round((Date.now() - began) / 1000)} s`),
    patienceMs,
  )
  let isAway = false
  const registry = askRegistry(version)
  void registry.answers.then(async (isThere) => {
    if (isThere) return
    // It may be installed from what is kept on this machine: that takes seconds.
    await new Promise((resolve) => setTimeout(resolve, began + networkMs - Date.now()).unref())
    isAway = true
    stop()
  })
  const { error, status } = await ended
  registry.stop()
  clearInterval(told)
  if (status === 0) return
  if (error?.code === 'ENOENT') throw new Error(`There is no ${program} on the PATH, and set-up needs it.`)
  const [certificate] = untrusted.exec(`${output.err}${output.out}${registry.output.err}`) ?? []
  if (certificate)
    throw new Error(
      `${task} failed: the package registry shows a certificate that is not trusted here (${certificate}), as a proxy ` +
        'does that opens TLS. Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate, and try again.',
    )
  if (isAway)
    throw new Error(
      `${task} failed: the package registry cannot be reached from this machine. It is needed once: ${remedy}.`,
    )
  const lines = `${output.err}\n${output.out}`.split('\n').filter((line) => line.trim())
  const complaints = lines.filter((line) => /\berr(or|!)/i.test(line) && !/! (code|errno|syscall) /.test(line))
  const reason = error?.message ?? complaints[0] ?? lines.at(-1) ?? `exit code ${status}`
  throw new Error(`${task} failed (${reason.replace(/^(npm )?err(or|!):?/i, '').trim()}): ${remedy}.`)
}

async function installBun(version) {
  say(`Bun ${version} is not here yet: installing it with npm into .cache/bun`)
  // Beside the one that is there: a stack that runs needs that, and so does who goes back to its release.
  const draft = join(cache, 'bun.new')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n')
  // npm itself waits more than a minute before it tries the last time.
  const options = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  options.push('--prefix', draft, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error')
  const remedy = `check the network, or put Bun ${version} on the PATH`
  await install('npm', ['install', ...options, `bun@${version}`], { version, task: 'Installing Bun', remedy })
  const folder = join(cache, 'bun')
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  const program = findBun(version)
  if (program) return program
  throw new Error(`npm installed bun@${version}, but it does not run on ${process.platform} ${process.arch}.`)
}

/** Makes `bun` of the Procfile and of every script mean this program. */
function putOnPath(program) {
  const link = join(cache, 'bin', 'bun')
  if (program !== link) linkTo(program, link)
}

/** `npm run` looks for it there: an installation for production leaves Bun's own package out. */
function putWhereNpmLooks(program, version) {
  const link = join(root, 'node_modules', '.bin', 'bun')
  if (!runsAs(link, version)) linkTo(program, link)
}

function linkTo(program, link) {
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(realpathSync(program), link)
}

/**
 * Leaves out what only development needs, two thirds of it all. Peers stay: without them Bun installs Elysia once for each set
 * of peers that its dependents have themselves, and each bundle has two copies.
 */
const productionOnly = ['--production']

/**
 * Installs when node_modules was not made from this bun.lock, or without what is needed now. The stamp lies inside, so
 * that it goes with the folder. A checkout that has everything keeps everything, whoever installed it: tsc, for one, is
 * of no use in production.
 */
async function installDependencies(bun, version) {
  const stamp = join(root, 'node_modules', '.made-from')
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .digest('hex')
  const [made, part] = existsSync(stamp) ? readFileSync(stamp, 'utf8').trim().split(' ') : []
  const hasAll = existsSync(join(root, 'node_modules', '.bin', 'tsc'))
  const isForProduction =
    process.argv.includes('--production') && !hasAll && (made === undefined || part === 'production')
  if (made === hash && (part === undefined || isForProduction)) return
  say('installing the dependencies that bun.lock names')
  // One that is cut off leaves a mixture: whoever goes back to the release before installs again.
  rmSync(stamp, { force: true })
  const options = isForProduction ? productionOnly : []
  const about = { version, task: 'Installing the dependencies', remedy: 'check the network and try again' }
  await install(bun, ['install', '--frozen-lockfile', ...options], about)
  writeFileSync(stamp, isForProduction ? `${hash} production` : hash)
}

async function setUp() {
  if (Number(process.versions.node.split('.')[0]) < 18) {
    throw new Error(`Node 18 or later is needed, this is ${process.versions.node}.`)
  }
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.bun
  const bun = findBun(version) ?? (await installBun(version))
  putOnPath(bun)
  await installDependencies(bun, version)
  putWhereNpmLooks(bun, version)
}

// What root installs is read by the user of the services, however narrow root's umask is.
process.umask(0o022)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
try {
  await setUp()
} catch (error) {
  say(error.message)
  process.exit(1)
}
