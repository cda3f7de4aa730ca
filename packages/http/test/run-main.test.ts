import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** What a process writes that starts so, and its exit code. */
async function ended(start: string): Promise<[string, number]> {
  const source = `
    import { runMain } from '${join(import.meta.dir, '../src/life/run-main.ts')}'
    runMain(${start})
  `
  const child = Bun.spawn([process.execPath, '-e', source], { stderr: 'pipe' })
  return [await child.stderr.text(), await child.exited]
}

test('a start that fails is told in one line; a defect with its stack, which nothing else would have', async () => {
  expect(await ended(`async () => { throw new Error('The disk is full', { cause: new TypeError('x') }) }`)).toEqual([
    'The disk is full\n',
    1,
  ])
  const [text, code] = await ended('async () => { null.orders }')
  expect(code).toBe(1)
  expect(text).toMatch(/^TypeError: .*orders/)
  expect(text).toMatch(/\n +at /)
})
