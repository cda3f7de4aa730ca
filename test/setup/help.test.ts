// Each command of package.json says what it does.
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mapConcurrent } from '@bursar/http'
import manifest from '../../package.json'
import { programOfCommand } from '../commands'

const cwd = join(import.meta.dir, '../..')
/** Other programs, with a help of their own. */
const others = ['check', 'format', 'test']

/** Its line of package.json, with the compiled program in the place of its script where there is one. */
async function lineOf(words: string): Promise<string[]> {
  const [, script = ''] = /^bun scripts\/(.+)\.ts$/.exec(words) ?? []
  const program = await programOfCommand(script)
  return existsSync(program) ? [process.execPath, '--no-env-file', program] : ['sh', '-c', `${words} "$@"`, 'sh']
}

test('each answers --help with its usage, and does nothing else', async () => {
  const commands = Object.entries(manifest.scripts).filter(([name]) => !others.includes(name))
  const answers = await mapConcurrent(commands, 2, async ([name, words]) => {
    const line = [...(await lineOf(words)), '--help']
    const child = Bun.spawn(line, { cwd, env: { PATH: process.env.PATH }, stdout: 'pipe', stderr: 'pipe' })
    const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { name, usage: /^Usage: \S+( run \S+)?/.exec(out)?.[0], error, code }
  })
  expect(answers).toEqual(
    commands.map(([name]) => {
      const usage = `Usage: ${name === 'start' ? 'scripts/start' : `bun run ${name}`}`
      return { name, usage, error: '', code: 0 }
    }),
  )
})
