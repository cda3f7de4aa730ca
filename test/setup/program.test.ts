// `bun run build`: what it makes runs as its sources do, and only while they are what they were.
import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { madeOf } from '../../scripts/build/made-of'
import { makeProgram, programOf } from '../../scripts/build/program'

/** A checkout of one package and of services, of which one says where it thinks it is. */
function checkout() {
  const root = tempDir()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('bun.lock', '{}')
  write('packages/money/src/index.ts', 'export const amount: string = "5"')
  write('packages/console/src/main.ts', '')
  write('scripts/all.ts', "import '../services/quote/src/main'")
  write(
    'services/quote/src/main.ts',
    `import { amount } from '../../../packages/money/src/index'
     const mode = process.env.NODE_ENV
     console.log(JSON.stringify([amount, mode, import.meta.url, import.meta.dir, process.argv.slice(2)]))`,
  )
  write('services/quote/src/main.test.ts', '')
  // What the libraries of these two need of a program.
  for (const name of ['wallet', 'identity-manager']) {
    mkdirSync(join(root, 'services', name))
    symlinkSync(
      join(import.meta.dir, '../../services', name, 'node_modules'),
      join(root, 'services', name, 'node_modules'),
    )
  }
  const make = () => makeProgram(root)
  const program = () => programOf(root)
  const run = async (path: string) =>
    await new Response(Bun.spawn([join(root, path), 'quote'], { cwd: root, env: {} }).stdout).json()
  return { root, write, make, program, run }
}

test('the program is whole, is for production, knows its place, and reads no .env', async () => {
  const { root, write, make, program, run } = checkout()
  expect(program()).toBeNull()
  expect(await make()).toBe(join(root, program() ?? ''))
  const path = program() ?? ''
  rmSync(join(root, 'packages'), { recursive: true })
  mkdirSync(join(root, 'packages'))
  write('.env', 'NODE_ENV=test')
  const place = join(root, 'services/quote/src')
  expect(await run(path)).toEqual(['5', 'production', Bun.pathToFileURL(join(place, 'main.ts')).href, place, ['quote']])
})

test('it is used while its sources are what they were', async () => {
  const { root, write, make, program } = checkout()
  await make()
  const made = program()
  expect(made).not.toBeNull()
  const changes: [path: string, isUsed: boolean][] = [
    ['services/quote/src/more.ts', false],
    ['packages/money/src/index.ts', false],
    ['packages/console/src/main.ts', false],
    ['scripts/all.ts', false],
    ['bun.lock', false],
    ['services/quote/src/main.test.ts', true],
  ]
  for (const [path, isUsed] of changes) {
    const file = join(root, path)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : null
    write(path, '// changed')
    expect([path, program()]).toEqual([path, isUsed ? made : null])
    if (before === null) rmSync(file)
    else writeFileSync(file, before)
    expect(program()).toBe(made)
  }
})

test('sources that do not compile leave no program', async () => {
  const { root, write, make, program } = checkout()
  write('packages/money/src/index.ts', 'export const = 1')
  expect(await make().catch(() => 'failed')).toBe('failed')
  expect(program()).toBeNull()
  expect(readdirSync(join(root, '.cache/build'))).toEqual([])
})

/** What is made of one source, in a folder of its own. */
function recipe() {
  const root = tempDir()
  const made = (
    text: string,
    make = (folder: string) => Promise.resolve(writeFileSync(join(folder, 'made'), text)),
  ) => {
    writeFileSync(join(root, 'source'), text)
    return madeOf({ root, what: 'build', sources: ['source'] }, make)
  }
  return { folder: join(root, '.cache/build'), made }
}

test('what a running stack was started from stays for one more build', async () => {
  const { made } = recipe()
  const folders: string[] = []
  for (const age of [1, 2, 3]) {
    const folder = await made(String(age))
    // Three builds within a tick of the disk's clock have no order.
    utimesSync(folder, age, age)
    folders.push(folder)
  }
  expect(new Set(folders).size).toBe(3)
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true])
})

test('what a process runs stays for as long as it runs', async () => {
  const { made } = recipe()
  const aged = async (age: number) => {
    const folder = await made(String(age))
    utimesSync(folder, age, age)
    return folder
  }
  const folder = await aged(1)
  const running = Bun.spawn([process.execPath, '-e', 'setInterval(() => {}, 1000)', folder])
  for (const age of [2, 3]) await aged(age)
  expect(existsSync(folder)).toBe(true)
  running.kill()
  await running.exited
  await aged(4)
  expect(existsSync(folder)).toBe(false)
})

test("what a killed build has left goes with the next one, and takes nobody's place", async () => {
  const { folder, made } = recipe()
  const first = await made('1')
  const left = `${first}-4194999.unfinished`
  mkdirSync(left)
  writeFileSync(`${left}.lock`, '')
  const second = await made('2')
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .sort(),
  ).toEqual([first, second].sort())
})

test('of two that make the same at once each has it whole', async () => {
  const { made } = recipe()
  const halves = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const makes = halves.map(({ promise }, index) =>
    made('1', async (folder) => {
      await promise
      writeFileSync(join(folder, 'made'), String(index))
    }),
  )
  for (const { resolve } of halves) resolve()
  const [one, other] = await Promise.all(makes)
  expect(one).toBe(other)
  expect(readdirSync(one ?? '')).toEqual(['made'])
})
