import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { FileLockedError, lockFile, openStore } from '../src/index'
import { afterTest, failureOf, migrations, tempFile, tempStore, until } from './harness'

/** Another process that wants the lock; `said` is what it has said so far. */
function startHolder(file: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'lock-holder.ts'), file], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  afterTest(() => child.kill('SIGKILL'))
  const holder = { child, said: '' }
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) holder.said += chunk
  })()
  return holder
}

test('a database that another process holds is refused, with its path and the process, until that one dies', async () => {
  const file = tempFile()
  const holder = startHolder(file)
  const { child } = holder
  await until('the other process to hold it', () => holder.said === 'held\n')
  const error = await failureOf(openStore({ service: 'store-test', file, migrations }))
  expect(error).toBeInstanceOf(FileLockedError)
  expect(String(error)).toContain(`The database ${file} is in use by process ${child.pid}: stop that one first`)
  child.kill('SIGKILL')
  await child.exited
  const store = await tempStore({ file })
  await store.healthy()
})

test('of many processes that start at once exactly one has it, and the others name that one', async () => {
  const file = tempFile()
  const holders = Array.from({ length: 6 }, () => startHolder(file))
  await until('all to have spoken', () => holders.every(({ said }) => said.endsWith('\n')))
  const winners = holders.filter(({ said }) => said === 'held\n')
  expect(winners).toHaveLength(1)
  const others = holders.filter((holder) => holder !== winners[0])
  expect(others.map(({ said }) => said)).toEqual(
    others.map(() => expect.stringContaining(`process ${winners[0]?.child.pid}:`)),
  )
})

test('a store refuses a second one of the same process, and gives its lock back when it closes', async () => {
  const file = tempFile()
  const store = await tempStore({ file })
  expect(String(await failureOf(tempStore({ file })))).toContain('is in use by this process already')
  await store.close()
  await (await tempStore({ file })).healthy()
})

test('a second attempt of the same process, which is refused, leaves it the lock', async () => {
  const file = tempFile()
  const lock = lockFile(file, 'The database')
  afterTest(() => lock.release())
  expect(() => lockFile(file, 'The database')).toThrow(FileLockedError)
  const other = startHolder(file)
  await until('the other process to have spoken', () => other.said.endsWith('\n'))
  expect(other.said).toContain(`process ${process.pid}:`)
})

test('a database that could not be opened is not held', async () => {
  const file = tempFile()
  const error = await failureOf(tempStore({ file, migrations: '/nowhere' }))
  expect(error).not.toBeInstanceOf(FileLockedError)
  expect(error).toBeInstanceOf(Error)
  await (await tempStore({ file })).healthy()
})

test('the lock is for its owner alone', () => {
  const file = tempFile()
  const lock = lockFile(file, 'The database')
  afterTest(() => lock.release())
  expect(statSync(`${file}.lock`).mode & 0o777).toBe(0o600)
})
