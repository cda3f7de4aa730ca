// A program that is launched begins when it is told to, and not without a runner.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, tempDir, until } from '@bursar/testing'
import { launch } from '../../scripts/stack/process'

const quiet = { out: () => {}, err: () => {} }

test('it begins once it is told to, without an input, and is stopped as a group', async () => {
  const cwd = tempDir()
  const running = launch('cat; echo $$ > began.new; mv began.new began; sleep 1000', { cwd, ...quiet })
  const began = join(cwd, 'began')
  await Bun.spawn(['true']).exited
  expect(existsSync(began)).toBe(false)
  running.begin()
  await until(() => existsSync(began), { what: 'its begin' })
  expect(Number(readFileSync(began, 'utf8'))).toBe(running.pid)
  await running.stop(10_000)
  expect(await running.ended).toBe('signal SIGTERM')
})

test('one that was ended before it began never does', async () => {
  const cwd = tempDir()
  const running = launch('touch began', { cwd, ...quiet })
  running.kill()
  expect(await running.ended).toBe('signal SIGKILL')
  running.begin()
  expect(existsSync(join(cwd, 'began'))).toBe(false)
})

test('it ends with a runner that has not let it begin', async () => {
  const cwd = tempDir()
  const module = JSON.stringify(join(import.meta.dir, '../../scripts/stack/process'))
  const program = `import { launch } from ${module}
    console.log(launch('touch began', { cwd: ${JSON.stringify(cwd)}, out() {}, err() {} }).pid)
    process.kill(process.pid, 'SIGKILL')`
  const runner = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'ignore' })
  const pid = Number(await new Response(runner.stdout).text())
  expect(pid).toBeGreaterThan(0)
  await until(() => !isAlive(pid), { what: 'its end' })
  expect(existsSync(join(cwd, 'began'))).toBe(false)
})
