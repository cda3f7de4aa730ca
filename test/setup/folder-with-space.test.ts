import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'

const root = dirname(dirname(import.meta.dir))
const copy = join(tempDir(), "a folder's copy")
/** What a checkout has that is not the project; the installed packages themselves are linked to. */
const left = /^(\.git|\.cache|data|coverage|\.env|node_modules\/\.(bun|made-from))(\/|$)/

/** The project in a folder with a space and a quote, with the packages that this checkout has installed. */
function copyProject(): void {
  // The links to packages are relative: kept as they are, they lead to those of the copy.
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !left.test(relative(root, path)),
  })
  symlinkSync(join(root, 'node_modules/.bun'), join(copy, 'node_modules/.bun'))
  const lock = readFileSync(join(copy, 'bun.lock'))
  writeFileSync(join(copy, 'node_modules/.made-from'), createHash('sha256').update(lock).digest('hex'))
}
copyProject()

const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGTERM')
})

function run(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(command, { cwd: copy, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'inherit' })
  children.push(child)
  const running = { child, output: '' }
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) running.output += chunk
  })()
  return running
}

test('scripts/test sets up and runs in a folder with a space in its name', async () => {
  const tests = run([join(copy, 'scripts/test'), 'packages/money'])
  expect(await tests.child.exited).toBe(0)
  expect(tests.output).toMatch(/\n[1-9]\d* passed, 0 failed\n$/)
})

test('where a test fails, scripts/test ends with the order that the tests ran in, and how to repeat it', async () => {
  const folder = join(copy, 'test/failing')
  mkdirSync(folder)
  const [ran, began] = [join(folder, 'ran'), join(folder, 'began')]
  const beginning = (name: string) => `appendFileSync(${JSON.stringify(began)}, process.pid + ':${name} ')`
  const names = ['one', 'two', 'three', 'four', 'five']
  const text = names
    .map((name) => `test('${name}', () => { appendFileSync('ran', '${name} '); expect('${name}').not.toBe('two') })`)
    .join('\n')
    .replaceAll("'ran'", JSON.stringify(ran))
  const imports = `import { appendFileSync } from 'node:fs'\nimport { expect, test } from 'bun:test'`
  writeFileSync(join(folder, 'failing.test.ts'), `${imports}\n${beginning('failing')}\n${text}\n`)
  const others = Array.from({ length: 30 }, (_, i) => `a${i}`)
  for (const name of others) {
    const passing = `${imports}\n${beginning(name)}\ntest('passes', () => Bun.sleep(50))\n`
    writeFileSync(join(folder, `${name}.test.ts`), passing)
  }
  writeFileSync(join(copy, 'scripts/run-tests/seconds.json'), JSON.stringify({ 'test/failing/failing.test.ts': 60 }))
  const runOf = async (args: string[]) => {
    for (const file of [ran, began]) rmSync(file, { force: true })
    const tests = run([join(copy, 'scripts/test'), ...args])
    expect(await tests.child.exited).toBe(1)
    const [order = [], files = []] = [ran, began].map((file) => readFileSync(file, 'utf8').trim().split(' '))
    return { output: tests.output, order, files }
  }
  // With this seed they are not in the order that they stand in.
  const [both, one] = [['--seed', '5', 'test/failing'], ['test/failing/failing.test.ts']]
  for (const args of [both, one]) {
    const first = await runOf(args)
    const [, command = '', seed] = first.output.match(/To repeat it: scripts\/(test --seed (\d+) \S+)\n/) ?? []
    expect(first.output).toContain(`in random order: --seed ${seed})`)
    expect(first.output).toEndWith(args === both ? '\n34 passed, 1 failed\n' : '\n4 passed, 1 failed\n')
    expect(first.order.toSorted()).toEqual(names.toSorted())
    if (args === both) {
      expect(first.order).not.toEqual(names)
      // The longest of them: a process begins with it.
      const files = first.files.map((file) => file.split(':') as [pid: string, name: string])
      const [own] = files.find(([, name]) => name === 'failing') ?? []
      expect(files.find(([pid]) => pid === own)?.[1]).toBe('failing')
      expect(files).toHaveLength(31)
    }
    expect((await runOf(command.split(' ').slice(1))).order).toEqual(first.order)
  }
})

test('so does scripts/start, with a service, its migrations and its Redis', async () => {
  const [port, redis] = [await freePort(), await freePort()]
  const stack = run([join(copy, 'scripts/start'), '--only', 'customer'], {
    CUSTOMER_PORT: `${port}`,
    REDIS_PORT: `${redis}`,
  })
  await until(() => stack.output.includes('Bursar is ready') || stack.child.exitCode !== null, {
    what: 'the stack',
  })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, { what: 'its health' })
  expect(readdirSync(join(copy, 'data'))).toContain('customer.sqlite')
  stack.child.kill('SIGTERM')
  expect(await stack.child.exited).toBe(0)
})
