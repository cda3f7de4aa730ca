import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'

setDefaultTimeout(60_000)

const root = dirname(dirname(import.meta.dir))
const copy = join(tempDir(), "a folder's copy")
const own = /^(node_modules|\.git|\.cache|data|coverage)$/

/** The project in a folder with a space and a quote, with the packages that this checkout has installed. */
function copyProject(): void {
  mkdirSync(copy)
  for (const name of readdirSync(root).filter((name) => !own.test(name) && !name.startsWith('.env.'))) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  }
  cpSync(join(root, '.env.example'), join(copy, '.env.example'))
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@bursar'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter(
    (name) => name !== '@bursar' && name !== '.made-from',
  )) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  // Our own packages must be those of the copy.
  for (const kind of ['packages', 'services']) {
    for (const name of readdirSync(join(copy, kind)))
      symlinkSync(join(copy, kind, name), join(modules, '@bursar', name))
  }
  for (const nested of new Bun.Glob('{packages,services}/*/node_modules').scanSync({ cwd: root, onlyFiles: false })) {
    symlinkSync(join(root, nested), join(copy, nested))
  }
  const lock = readFileSync(join(copy, 'bun.lock'))
  writeFileSync(join(modules, '.made-from'), createHash('sha256').update(lock).digest('hex'))
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
