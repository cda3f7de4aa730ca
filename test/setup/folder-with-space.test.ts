import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'

setDefaultTimeout(60_000)

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
  const text = ['one', 'two', 'three', 'four', 'five']
    .map((name) => `test('${name}', () => { console.log('ran ${name}'); expect('${name}').not.toBe('two') })`)
    .join('\n')
  writeFileSync(join(folder, 'failing.test.ts'), `import { expect, test } from 'bun:test'\n${text}\n`)
  const orderOf = (output: string) => output.match(/^ran \w+$/gm)
  const first = run([join(copy, 'scripts/test'), 'test/failing'])
  expect(await first.child.exited).toBe(1)
  const [, command = '', seed] = first.output.match(/To repeat it: scripts\/(test --seed (\d+) test\/failing)\n/) ?? []
  expect(first.output).toContain(`in random order: --seed ${seed})`)
  expect(first.output).toEndWith('\n4 passed, 1 failed\n')
  const again = run([join(copy, 'scripts/test'), ...command.split(' ').slice(1)])
  expect(await again.child.exited).toBe(1)
  expect(orderOf(again.output)).toEqual(orderOf(first.output))
  expect(orderOf(first.output)).toHaveLength(5)
})

test('so does scripts/start, with a service, its migrations and its Redis', async () => {
  const [port, redis] = [await freePort(), await freePort()]
  const stack = run([join(copy, 'scripts/start'), '--only', 'customer'], {
    CUSTOMER_PORT: `${port}`,
    REDIS_PORT: `${redis}`,
  })
  await until(() => stack.output.includes('Bursar is ready') || stack.child.exitCode !== null, {
    timeoutMs: 30_000,
    what: 'the stack',
  })
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  expect(readdirSync(join(copy, 'data'))).toContain('customer.sqlite')
  stack.child.kill('SIGTERM')
  expect(await stack.child.exited).toBe(0)
})
