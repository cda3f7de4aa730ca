import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { lockFile } from '@bursar/store/file-lock'
import { isAlive, isFree, until } from '@bursar/testing'
import { runCommand } from '../commands'
import { eachWithTinyStack, folder, pidAt, ports, shutDownRedis, start } from './tiny-stack'

eachWithTinyStack()

describe('a stack that ends', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`leaves nothing behind on ${signal} and exits with 0`, async () => {
      const runner = start()
      await runner.says('Bursar is ready')
      const pids = await Promise.all([pidAt(ports.quote), pidAt(ports.tracker)])
      runner.process.kill(signal)
      expect(await runner.process.exited).toBe(0)
      expect(pids.filter(isAlive)).toEqual([])
      expect(await isFree(ports.redis)).toBe(true)
    })
  }

  test('with --no-restart names the process that ended by itself, stops the others and exits with 1', async () => {
    const runner = start({ args: ['--no-restart'] })
    await runner.says('Bursar is ready')
    const pid = await pidAt(ports.tracker)
    await fetch(`http://127.0.0.1:${ports.quote}/die`)
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain('quote ended by itself with exit code 3; the stack stops.')
    expect(isAlive(pid)).toBe(false)
  })

  test('with --no-restart is not ended by a restart of one of its services', async () => {
    const runner = start({ args: ['--no-restart'] })
    await runner.says('Bursar is ready')
    const pid = await pidAt(ports.quote)
    const env = { PATH: process.env.PATH, DATA_DIR: join(folder, "it's data") }
    const { code, out, error } = await runCommand('restart', ['quote'], { env })
    expect([code, out]).toEqual([1, ''])
    expect(error).toStartWith(
      'The stack was started with --no-restart, and would end with a service: stop it and start it',
    )
    expect([await pidAt(ports.quote), await isFree(ports.tracker)]).toEqual([pid, false])
  })

  test('leaves nothing behind when the runner itself is killed', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    runner.process.kill('SIGKILL')
    const free = () => Promise.all([ports.quote, ports.tracker, ports.redis].map(isFree))
    await until(async () => (await free()).every(Boolean), { what: 'everything to end' })
  })

  test('is waited for by the next start when its runner was killed', async () => {
    const last = lockFile(join(folder, "it's data", 'quote.sqlite'), 'The database')
    const runner = start()
    await runner.says('Services of an earlier start still run on this data folder: waiting for their end.')
    expect(await isFree(ports.redis)).toBe(true)
    last.release()
    await runner.says('Bursar is ready')
  })

  test('gives up on a service that ends before it is healthy', async () => {
    const runner = start({ procfile: 'quote: echo no luck >&2; exit 7' })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain('quote | no luck')
    expect(runner.output).toContain('quote ended by itself with exit code 7')
  })
})

describe('a process that dies', () => {
  test('is started again, and the others go on; the runner’s end still ends it', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    const [dead, other] = await Promise.all([pidAt(ports.quote), pidAt(ports.tracker)])
    process.kill(dead, 'SIGKILL')
    await runner.says(
      'quote ended by itself with signal SIGKILL; it is started again in 0.25 s (restart 1 of 5 in a minute).',
    )
    const born = await until(() => pidAt(ports.quote), { what: 'the quote service to be back' })
    expect(born).not.toBe(dead)
    expect(await pidAt(ports.tracker)).toBe(other)
    runner.process.kill('SIGKILL')
    await until(async () => (await isFree(ports.quote)) && (await isFree(ports.tracker)), {
      what: 'everything to end',
    })
  })

  test('is started again when it is Redis', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    await shutDownRedis(ports.redis)
    await runner.says('redis ended by itself with exit code 0')
    await until(async () => !(await isFree(ports.redis)), { what: 'Redis to be back' })
  })

  test('ends the stack when it has died too often', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    const died = until(
      async () => {
        await fetch(`http://127.0.0.1:${ports.quote}/die`).catch(() => {})
        return runner.process.exitCode !== null
      },
      { what: 'the stack to give up' },
    )
    await died
    expect(runner.process.exitCode).toBe(1)
    expect(runner.output).toContain('it is started again in 4 s (restart 5 of 5 in a minute)')
    expect(runner.output).toContain('after 5 restarts within a minute; the stack stops.')
  })
})
