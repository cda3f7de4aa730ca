import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

/** Runs a program that writes to a log, and gives what stood on its standard output. */
async function output(format: 'json' | 'pretty', program: string): Promise<string> {
  const source = `
    import { createLog, inRequest } from '${join(import.meta.dir, '../src/index.ts')}'
    import { plainLines } from '${join(import.meta.dir, '../src/observe/log.ts')}'
    const log = await createLog({ service: 'sample', level: 'info', format: '${format}' })
    ${program}
  `
  const run = Bun.spawn(['bun', '-e', source], { stdout: 'pipe', stderr: 'pipe', cwd: join(import.meta.dir, '..') })
  const [text, problem] = await Promise.all([run.stdout.text(), run.stderr.text()])
  if (await run.exited) throw new Error(problem)
  return text
}
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('JSON lines', () => {
  test('carry level, time, service and the request’s id; a secret is masked at the top and one level below', async () => {
    const [first, second] = linesOf(
      await output(
        'json',
        `log.info({ password: 'hunter2', nested: { apiKey: 'hunter2', port: 1 } }, 'first')
         inRequest({ id: 'r-1', path: '/', route: null, body: '' }, () => log.warn({}, 'second'))
         log.debug({}, 'below the level')`,
      ),
    )
    expect(first).toMatchObject({ level: 'info', service: 'sample', msg: 'first' })
    expect(first).toMatchObject({ password: '********', nested: { apiKey: '********', port: 1 } })
    expect(String(first?.time)).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
    expect(second).toMatchObject({ level: 'warn', requestId: 'r-1' })
  })

  test('of requests are of the same form, put together by hand', async () => {
    const fields = `{ requestId: 'r"1', method: 'POST', path: '/a b', status: 400, ms: 1.5, problem: 'a\\nb' }`
    const lines = linesOf(
      await output(
        'json',
        `log.info(${fields}, 'request'); plainLines(log).info(${fields}, 'request'); plainLines(log).info({}, 'bare'); plainLines(log).debug({}, 'no')`,
      ),
    )
    const [general, byHand, bare, ...others] = lines.map(({ time: _, ...rest }) => rest)
    expect(byHand).toEqual(general)
    expect(bare).toEqual({ level: 'info', service: 'sample', msg: 'bare' })
    expect(others).toEqual([])
  })
})

test('each key stands once in a line, whatever fields are named', async () => {
  const fields = `{ service: 'other', level: 'loud', time: 'now', msg: 'hi', port: 1 }`
  const text = await output(
    'json',
    `log.warn(${fields}, 'm'); log.child(${fields}).info({}, 'm'); plainLines(log).info(${fields}, 'm')`,
  )
  for (const line of text.trim().split('\n')) {
    const keys = [...line.matchAll(/"(\w+)":/g)].map(([, key]) => key)
    expect(keys).toEqual([...new Set(keys)])
    expect(JSON.parse(line)).toMatchObject({ service: 'sample', peer: 'other', givenLevel: 'loud', port: 1, msg: 'm' })
  }
  expect(linesOf(text)).toHaveLength(3)
})

test('words for a person: a line break that a caller sent forges no line', async () => {
  const forged = '\\n[12:00:00.000] INFO: all is well'
  const text = await output('pretty', `log.error({ path: '/x${forged}' }, 'Asset A${forged} not found')`)
  expect(text.split('\n').filter((line) => line.startsWith('['))).toHaveLength(1)
})
