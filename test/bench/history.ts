import { appendFile, exists } from 'node:fs/promises'
import { join } from 'node:path'
import { coresInWords } from './cores'
import { drawHistory } from './plot'

const file = join(import.meta.dir, 'history.md')

/** What the figures were found on: Bun, cores, commit, rounds. */
export async function circumstances(rounds: number, seconds: number): Promise<string> {
  return `Bun ${Bun.version}, ${coresInWords}, ${await commitInWords()}, ${rounds} rounds of ${seconds} s.`
}

export async function commitInWords(): Promise<string> {
  const commit = await git('rev-parse', '--short', 'HEAD')
  const changed = (await git('status', '--porcelain', '--', 'packages', 'services')) !== ''
  return commit === '' ? 'no commit' : `commit ${commit}${changed ? ' with changes' : ''}`
}

/** Adds a dated section to the history, and draws it. */
export async function remember(text: string): Promise<void> {
  const head =
    '# What `bun run bench` found\n\nThe newest comes last. Only figures of one section compare with each other.\n'
  const section = `\n## ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC\n\n${text}\n`
  await appendFile(file, (await exists(file)) ? section : head + section)
  await drawHistory()
}

async function git(...args: string[]): Promise<string> {
  const run = Bun.spawn(['git', ...args], { cwd: import.meta.dir, stdout: 'pipe', stderr: 'ignore' })
  const said = await new Response(run.stdout).text()
  return (await run.exited) === 0 ? said.trim() : ''
}
