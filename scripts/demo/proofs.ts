import { join } from 'node:path'
import type { Caller } from './gateway'
import type { World } from './world'

const root = join(import.meta.dir, '../..')

/** The books are audited, the chains reconciled, and the log is looked into. */
export async function proveBooks({ env, say }: World, log: Caller): Promise<void> {
  say(`Audit: ${lastLine(await run('audit', env))}`)
  for (const line of (await run('reconcile', env)).trim().split('\n')) say(`Reconciliation: ${line}`)
  const { pagination } = await log.ask<{ pagination: { total: number } }>('GET /tracker/v1/log-messages?limit=1')
  say(`The log tracker has ${pagination.total} messages`)
}

/** Runs one of the project's scripts; what it said. Throws that when it found a difference. */
async function run(script: string, env: World['env']): Promise<string> {
  const command = [process.execPath, `scripts/${script}.ts`]
  const child = Bun.spawn(command, { cwd: root, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) === 0) return out
  throw new Error(`bun run ${script} has found a difference:\n${out}${err}`)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
