// Second stage of scripts/test, when Bun and the dependencies are there: the checks, then the tests, then the count.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { changedFiles, countsByPackage, readImports, testsOf, withinBudget } from './run-tests/changed'
import { folderOfTests } from './run-tests/folder'
import { onServer, outcomesIn, unexpectedIn } from './run-tests/on-postgres'
import { filesAtOnce, timesToOrderBy } from './run-tests/order'
import { withAllocator } from './stack/allocator'
import { provideChromium } from './stack/chromium'
import { provideRedisServer } from './stack/redis-server'
import { type Count, countReport, missingFrom } from './test-report'

const root = dirname(import.meta.dir)

/** Every test file below the folders that hold any. */
function testFiles(): string[] {
  const files = [...new Bun.Glob('{packages,services,test}/**/*.test.ts').scanSync({ cwd: root })]
  return files.filter((file) => !file.includes('node_modules')).sort()
}

/** The test files that a path names: the file, or those below the folder. */
function filesAt(path: string): string[] {
  const wanted = relative(root, resolve(root, path))
  return testFiles().filter((file) => file === wanted || file.startsWith(`${wanted}/`) || wanted === '')
}

/** The environment of tests, without the platform's own settings: no .env may change a result. */
async function testEnvironment({ redisServer, chromium }: Programs): Promise<NodeJS.ProcessEnv> {
  const example = await Bun.file(join(root, '.env.example')).text()
  const settings = new Set([...example.matchAll(/^#? ?([A-Z]\w*)=/gm)].map(([, name]) => name))
  const kept = Object.entries(process.env).filter(([name]) => !settings.has(name))
  return {
    ...withAllocator(Object.fromEntries(kept)),
    REDIS_SERVER: redisServer,
    CHROMIUM: chromium,
    NODE_ENV: 'test',
    // The optimising compiler for long runs: tests end before its work has paid, which is an eighth of their processor time.
    BUN_JSC_useFTLJIT: '0',
    TMPDIR: folderOfTests(),
  }
}

/** Programs that tests need and no npm package has. */
interface Programs {
  redisServer: string
  /** Empty if there is none: the tests in a browser are then skipped. */
  chromium: string
}

async function providePrograms(): Promise<Programs> {
  const say = (sentence: string) => process.stderr.write(`set-up: ${sentence}\n`)
  return { redisServer: await provideRedisServer(say), chromium: provideChromium(say) }
}

/** Runs a command with its output passed on; resolves with its exit code. */
async function run(command: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return await Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' }).exited
}

const atOnce = filesAtOnce()

/** What decides the order of the files, and of the tests in each. */
interface Order {
  seed: number
}

/** How long each file took when it ran here last, in milliseconds: `--quick` goes by it. */
const timesFile = join(root, '.cache/test-times.json')

async function knownTimes(): Promise<Map<string, number>> {
  const file = Bun.file(timesFile)
  const { files } = (await file.exists()) ? await file.json() : { files: {} }
  return new Map(Object.entries(files as Record<string, number>))
}

/** Keeps what `bun test` has measured. */
async function keepTimes(measured: string): Promise<void> {
  const { files } = await Bun.file(measured).json()
  const times = { ...Object.fromEntries(await knownTimes()), ...files }
  await Bun.write(timesFile, JSON.stringify({ version: 1, files: times }))
}

/** Runs these test files in one `bun test`, in the seed's order, and counts by its report. */
async function runTests(
  files: string[],
  env: NodeJS.ProcessEnv,
  { seed }: Order,
  count: typeof countReport = countReport,
): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-report-'))
  const report = join(folder, 'report.xml')
  const times = join(folder, 'times.json')
  console.log(`\n$ bun test (${files.length} files, in random order: --seed ${seed})`)
  await Bun.write(times, JSON.stringify({ version: 1, files: timesToOrderBy(files, seed) }))
  const options = ['--reporter=junit', `--reporter-outfile=${report}`, `--seed=${seed}`]
  options.push(`--timings=${times}`, '--update-timings')
  // Each process keeps what it has loaded for the next file: files share a process one after another, as they always did.
  if (files.length > 1) options.push('--config=scripts/run-tests/bunfig.toml', `--parallel=${atOnce}`, '--no-isolate')
  const command = ['bun', '--no-env-file', 'test', '--timeout=600000', ...options, ...files.map((file) => `./${file}`)]
  const code = await run(command, env)
  const text = await Bun.file(report)
    .text()
    .catch(() => '')
  if (text) await keepTimes(times)
  rmSync(folder, { recursive: true })
  if (!text) console.error(`bun test ended with exit code ${code} before it could report.`)
  else
    for (const file of missingFrom(text, files))
      console.error(`${file} could not be loaded, or declares no test: that fails`)
  return count(text, code, files)
}

const passed: Count = { passed: 1, failed: 0 }
const failed: Count = { passed: 0, failed: 1 }

/** The checks that failed: what they said stands amid what ran beside them. */
const failedChecks: string[] = []

/**
 * Runs a command as one pass or failure; what it says is shown when it has ended, for others run beside it. It waits for
 * nobody, so it gets the processor when tests leave it: they have time limits of what they test.
 */
async function check(words: string[], env: NodeJS.ProcessEnv): Promise<Count> {
  const child = Bun.spawn(words, { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended.
  }
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  console.log(`\n$ ${words.join(' ')}\n${said}${complained}`.trimEnd())
  if (code === 0) return passed
  failedChecks.push(words.join(' '))
  return failed
}

const checkAll = (commands: string[][], env: NodeJS.ProcessEnv) =>
  Promise.all(commands.map((words) => check(words, env)))

/** The parts of `bun run check`: what makes types, which the others need, those, and the files of those that are tests. */
async function partsOfCheck(): Promise<{ makers: string[][]; others: string[][]; tests: string[] }> {
  const { scripts } = await Bun.file(join(root, 'package.json')).json()
  const commands = String(scripts.check)
    .split('&&')
    .map((command) => command.trim().split(/\s+/))
  const isTest = ([program, what]: string[]) => program === 'bun' && what === 'test'
  const isMaker = ([program, what]: string[]) => program === 'bun' && what === 'run'
  return {
    makers: commands.filter(isMaker),
    others: commands.filter((words) => !isTest(words) && !isMaker(words)).map(onOneCore),
    tests: commands.filter(isTest).flatMap((words) => words.slice(2).flatMap(filesAt)),
  }
}

/** Several checkers of tsc each work out the same types: with one it takes a quarter less, and the others use the other core. */
const onOneCore = (words: string[]) =>
  words[0] === 'tsc' && availableParallelism() <= 2 ? [...words, '--checkers', '1'] : words

async function runAll(env: NodeJS.ProcessEnv, order: Order): Promise<Count[]> {
  const { makers, others } = await partsOfCheck()
  // Made once for all tests that start services and commands as processes.
  const programs = [
    ['bun', 'run', 'build'],
    ['bun', 'test/commands.ts'],
    ['bun', 'test/executable.ts'],
  ]
  const made = await checkAll([...makers, ...programs], env)
  return [...made, ...(await checkAndTest(others, testFiles(), env, order))]
}

/** Tests also wait: types and lint are checked meanwhile. */
async function checkAndTest(checks: string[][], files: string[], env: NodeJS.ProcessEnv, order: Order) {
  const [counts, tested] = await Promise.all([checkAll(checks, env), runTests(files, env, order)])
  return [...counts, tested]
}

/** What the tests of `--quick` may take, so that it ends within 90 s on two cores: so long of each process. */
const quickMs = 45_000 * atOnce

/** The checks, and as many tests of what changed as three quarters of a minute have room for: the nearest to the change. */
async function runQuick(env: NodeJS.ProcessEnv, order: Order): Promise<Count[]> {
  const affected = testsOf(changedFiles(root), readImports(root))
  const { makers, others, tests } = await partsOfCheck()
  const made = await checkAll(makers, env)
  const wanted = affected.filter((file) => !tests.includes(file))
  const files = withinBudget(wanted, await knownTimes(), quickMs)
  console.log(
    `\nWhat changed since main, and its importers, have ${wanted.length} test files: ${files.length} of them run.`,
  )
  const leftOut = wanted.filter((file) => !files.includes(file))
  if (leftOut.length > 0) console.log(`Left out: ${countsByPackage(leftOut)}.`)
  return [...made, ...(await checkAndTest(others, [...tests, ...files], env, order))]
}

/** The tests of services with their tables on a PostgreSQL server of their own: all, or those at the paths. */
async function runOnServer(paths: string[], env: NodeJS.ProcessEnv, order: Order): Promise<Count[]> {
  const programs = postgresPrograms()
  if (!programs) throw new Error('There is no PostgreSQL here: install its server (postgresql).')
  const files = onServer((paths.length > 0 ? paths : ['services']).flatMap(filesAt))
  if (files.length === 0) throw new Error('These tests are about files: none of them runs on PostgreSQL.')
  const server = await startPostgres(programs)
  try {
    return [await runTests(files, { ...env, TEST_DATABASE_URL: server.url }, order, countOnServer)]
  } finally {
    await server.stop()
  }
}

/** Tests that are about files are to fail. */
function countOnServer(report: string, exitCode: number, files: readonly string[]): Count {
  const outcomes = outcomesIn(report)
  if (outcomes.length === 0) return countReport(report, exitCode, files)
  const complaints = [...unexpectedIn(report), ...missingFrom(report, files)]
  for (const complaint of complaints) console.error(complaint)
  return { passed: outcomes.length - complaints.length, failed: complaints.length }
}

async function runPart(paths: string[], env: NodeJS.ProcessEnv, order: Order): Promise<Count[]> {
  const nothing = paths.find((path) => filesAt(path).length === 0)
  if (nothing) throw new Error(`There is no test at ${nothing}.`)
  return [await runTests([...new Set(paths.flatMap(filesAt))], env, order)]
}

/** Bun takes 32 bits. */
const mostSeeds = 2 ** 32

/** The command line: what to run, and its seed or a new one. */
function readArguments(): { paths: string[]; isQuick: boolean; isOnServer: boolean; order: Order } {
  const flag = { type: 'boolean', default: false } as const
  const options = { seed: { type: 'string' }, quick: flag, postgres: flag } as const
  const { values, positionals: paths } = parseArgs({ allowPositionals: true, options })
  if (values.quick && paths.length > 0) throw new Error('--quick finds its tests by what changed: leave the paths out')
  const seed = values.seed === undefined ? randomInt(mostSeeds) : Number(values.seed)
  if (!Number.isInteger(seed) || seed < 0 || seed >= mostSeeds)
    throw new Error(`--seed must be a whole number below ${mostSeeds}, not ${values.seed}`)
  if (values.quick && values.postgres) throw new Error('--quick and --postgres do not go together')
  return { paths, isQuick: values.quick, isOnServer: values.postgres, order: { seed } }
}

/** How to run the same again, for whoever reads only the end of a log. */
const repeatCommand = ({ seed }: Order, words: string[]) => ['scripts/test', '--seed', seed, ...words].join(' ')

async function main(): Promise<Count[]> {
  try {
    const { paths, isQuick, isOnServer, order } = readArguments()
    const programs = await providePrograms()
    const env = await testEnvironment(programs)
    const runWhole = isQuick ? runQuick : runAll
    const runThese = isOnServer ? runOnServer : runPart
    const counts = isOnServer || paths.length > 0 ? await runThese(paths, env, order) : await runWhole(env, order)
    if (!programs.chromium) console.log('\nThe tests of the console were SKIPPED: there is no Chromium here.')
    if (failedChecks.length > 0)
      console.log(`\nThese checks failed: ${failedChecks.join('; ')}. What they said is above.`)
    if (counts.some(({ failed }) => failed > 0))
      console.log(
        `\nThe tests ran in random order. To repeat it: ${repeatCommand(order, [...(isQuick ? ['--quick'] : []), ...(isOnServer ? ['--postgres'] : []), ...paths])}`,
      )
    return counts
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return [{ passed: 0, failed: 1 }]
  }
}

const counts = await main()
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
const kind = process.argv.includes('--quick') ? ' (quick: not all tests)' : ''
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${kind}`)
process.exit(sum('failed') === 0 ? 0 : 1)
